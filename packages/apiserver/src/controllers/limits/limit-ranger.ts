import { forbidden, type Frozen, type KubeObject } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../../contract/index.js';
import { fields, type Fields, list, text } from '../../kinds/shared/fields.js';
import { amountsOf, nothing } from '../quota/amounts.js';
import { podResources } from '../quota/pod-resources.js';
import { coreResources, isTerminating, storageOf } from '../shared/index.js';
import { type Limit, maximum, maximumRequest, minimum, ratio, type Resources } from './limit-constraints.js';
import { setPodDefaults } from './limit-defaults.js';

/** Applies the LimitRanges of a namespace to its pods and claims: defaults first, then limits. */
export function createLimitRanger(store: Pick<Store, 'list'>): AdmissionPlugin {
  const rangesOf = (namespace: string): Frozen<KubeObject>[] =>
    store.list({ resource: storageOf(coreResources.limitRanges), namespace }).map(({ object }) => object);
  return {
    name: 'LimitRanger',
    handles: (request) => isLimited(request) && rangesOf(request.namespace).length > 0,
    mutate(request) {
      const { object, namespace } = request;
      if (object === undefined || request.resource.resource !== 'pods') return;
      for (const range of rangesOf(namespace)) setPodDefaults(object, range);
    },
    validate(request) {
      const { object, namespace, resource } = request;
      if (object === undefined || isTerminating(object as Frozen<KubeObject>)) return;
      for (const range of rangesOf(namespace)) {
        const problems = list(fields(range['spec'])['limits']).flatMap((limit) =>
          problemsOf(resource.resource, limit, object),
        );
        if (problems.length > 0) refuse(request, problems);
      }
    },
  };
}

/** Whether limits apply to the request. Updates matter for claims only: they cannot change the container resources of a pod. */
function isLimited({ operation, resource, subresource, namespace }: AdmissionRequest): boolean {
  if (resource.group !== '' || subresource !== '' || namespace === '') return false;
  if (resource.resource === 'pods') return operation === 'CREATE';
  return resource.resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE');
}

function refuse({ resource, name, object }: AdmissionRequest, problems: readonly string[]): never {
  const shown = name || object?.metadata.generateName || 'Unknown';
  const unique = [...new Set(problems)];
  throw forbidden(resource, shown, unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`);
}

function problemsOf(plural: string, limit: Fields, object: KubeObject): string[] {
  const type = text(limit['type']);
  const spec = fields(object['spec']);
  if (plural === 'persistentvolumeclaims')
    return type === 'PersistentVolumeClaim' ? claimProblems(limit, resourcesOf(spec)) : [];
  if (type === 'Pod') {
    const whole = { requests: podResources(spec, 'requests'), limits: podResources(spec, 'limits') };
    return boundProblems(limit, whole);
  }
  if (type !== 'Container') return [];
  const containers = [...list(spec['containers']), ...list(spec['initContainers'])];
  return containers.flatMap((container) => boundProblems(limit, resourcesOf(container)));
}

function resourcesOf(holder: Fields): Resources {
  const { requests, limits } = fields(holder['resources']);
  return { requests: amountsOf(requests), limits: amountsOf(limits) };
}

function boundProblems(limit: Fields, resources: Resources): string[] {
  return [
    ...apply(limit, 'min', (bound) => minimum(bound, resources)),
    ...apply(limit, 'max', (bound) => maximum(bound, resources)),
    ...apply(limit, 'maxLimitRequestRatio', (bound) => ratio(bound, resources)),
  ];
}

function claimProblems(limit: Fields, { requests }: Resources): string[] {
  const resources = { requests, limits: nothing };
  return [
    ...apply(limit, 'min', (bound) => minimum(bound, resources)),
    ...apply(limit, 'max', (bound) => maximumRequest(bound, resources)),
  ];
}

function apply(limit: Fields, key: string, constraint: (bound: Limit) => string | undefined): string[] {
  const bounds = [...amountsOf(limit[key])].map(([name, bound]) => ({ type: text(limit['type']), name, bound }));
  return bounds.sort((left, right) => (left.name < right.name ? -1 : 1)).flatMap((bound) => constraint(bound) ?? []);
}
