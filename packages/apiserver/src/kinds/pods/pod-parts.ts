import {
  asJson,
  asObject,
  cloneJson,
  deepEqual,
  type FieldError,
  type Frozen,
  forbiddenField,
  invalidField,
  type KubeObject,
} from '@slipway/kube';
import type { Subresource, WriteStrategy } from '../../contract/index.js';
import { partOf } from '../shared/define-builtin.js';
import { child, fields, type Fields, list, put, sortedKeys, text } from '../shared/fields.js';
import { qualityOfService } from './quality-of-service.js';
import { validateEphemeralContainers } from './validate-ephemeral-containers.js';
import { validatePodSpec } from './validate-pod-spec.js';

const pod = { group: '', kind: 'Pod' } as const;

/** Subresources that change parts of a running pod's spec: resize and ephemeralcontainers. */
export const podParts: readonly Subresource[] = [
  partOf(pod, 'ephemeralcontainers', {
    prepareForUpdate: (object, old) =>
      keepBut(object, old, (spec, requested) => put(spec, 'ephemeralContainers', requested.ephemeralContainers)),
    validateUpdate: (object, old) => validateEphemeral(fields(object.spec), fields(old.spec)),
  }),
  partOf(pod, 'resize', {
    prepareForUpdate: (object, old) => keepBut(object, old, takeResources),
    validateUpdate: (object, old) => validateResize(fields(object.spec), fields(old.spec)),
  }),
];

/** Replaces the object of an update with the stored pod, except for the fields that `take` copies from the request. */
function keepBut(
  object: KubeObject,
  stored: Frozen<KubeObject>,
  take: (spec: Fields, requested: Fields) => void,
): ReturnType<NonNullable<WriteStrategy['prepareForUpdate']>> {
  const requested = fields(object.spec);
  const { managedFields, resourceVersion } = object.metadata;
  const kept = asObject(cloneJson(asJson(stored)));
  take(child(kept, 'spec'), requested);
  const generation = (stored.metadata.generation ?? 0) + (deepEqual(kept.spec, stored.spec) ? 0 : 1);
  for (const key of Object.keys(object)) if (!Object.hasOwn(kept, key)) delete object[key];
  Object.assign(object, kept);
  object.metadata = { ...kept.metadata, generation };
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
}

function validateEphemeral(spec: Fields, before: Fields): FieldError[] {
  const path = 'spec.ephemeralContainers';
  const now = new Map(list(spec.ephemeralContainers).map((container) => [text(container.name), container]));
  const errors = validateEphemeralContainers(spec, 'spec');
  for (const old of list(before.ephemeralContainers)) {
    const name = text(old.name);
    const found = now.get(name);
    const why = (verb: string): string => `existing ephemeral containers ${JSON.stringify(name)} may not be ${verb}\n`;
    if (found === undefined) errors.push(forbiddenField(path, why('removed')));
    else if (!deepEqual(found, old)) errors.push(forbiddenField(path, why('changed')));
  }
  return errors;
}

const containerLists = ['containers', 'initContainers'] as const;

/** Copies resources and resizePolicy of the requested containers into existing ones. */
function takeResources(spec: Fields, requested: Fields): void {
  for (const key of containerLists) {
    const requestedContainers = list(requested[key]);
    const kept = list(spec[key]);
    if (requestedContainers.length !== kept.length) {
      put(spec, key, requested[key]);
      continue;
    }
    for (const [index, container] of kept.entries()) {
      const isResizable = key === 'containers' || container.restartPolicy === 'Always';
      if (!isResizable || requestedContainers[index]?.name !== container.name) continue;
      put(container, 'resources', requestedContainers[index]?.resources);
      put(container, 'resizePolicy', requestedContainers[index]?.resizePolicy);
    }
  }
}

function validateResize(spec: Fields, before: Fields): FieldError[] {
  for (const key of containerLists) {
    if (list(spec[key]).length === list(before[key]).length) continue;
    return [forbiddenField(`spec.${key}`, 'containers may not be added or removed on resize')];
  }
  const errors = [...validatePodSpec(spec, 'spec'), ...containerLists.flatMap((key) => removed(spec, before, key))];
  if (errors.length > 0) return errors;
  const quality = qualityOfService(before);
  if (qualityOfService(spec) !== quality)
    return [invalidField('spec', quality, 'Pod QOS Class may not change as a result of resizing')];
  return deepEqual(withoutResizable(spec), withoutResizable(before))
    ? []
    : [forbiddenField('spec', 'only cpu and memory resources are mutable')];
}

function removed(spec: Fields, before: Fields, key: string): FieldError[] {
  return list(before[key]).flatMap((container, index) =>
    ['requests', 'limits'].flatMap((kind) => {
      const now = fields(fields(list(spec[key])[index]?.resources)[kind]);
      const gone = sortedKeys(fields(fields(container.resources)[kind])).some((name) => now[name] === undefined);
      return gone
        ? [forbiddenField(`spec.${key}[${index}].resources.${kind}`, `resource ${kind} cannot be removed`)]
        : [];
    }),
  );
}

function withoutResizable(spec: Fields): Fields {
  const copy = cloneJson(spec) as Fields;
  for (const key of containerLists) {
    for (const { resources } of list(copy[key])) {
      for (const kind of ['requests', 'limits']) {
        const amounts = fields(fields(resources)[kind]);
        delete amounts.cpu;
        delete amounts.memory;
        // A map that held only cpu and memory counts as absent, so that adding or removing these is not treated as another change.
        if (Object.keys(amounts).length === 0) delete fields(resources)[kind];
      }
    }
  }
  return copy;
}
