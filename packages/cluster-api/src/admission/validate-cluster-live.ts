import { deepEqual, type FieldError, invalidField, type KubeObject } from '@slipway/kube';
import { customResourceDefinitions, ifPresent, isConditionTrue } from '@slipway/runtime';
import { type Cluster, type ClusterClass, clusterClasses, machineDeployments, machinePools } from '../api/index.js';
import { labels, runtimeAnnotations, topologyAnnotations } from '../api/names.js';
import { contractVersionOf, definitionNameOf } from '../contract/index.js';
import {
  defaultOverrides,
  defaultVariables,
  validateOverrides,
  validateVariables,
  type VariableStatus,
} from '../variables/index.js';
import type { AdmissionChange, AdmissionContext, AdmissionReader } from './admission.js';
import { validateCompatible } from './cluster-class.js';
import { type UpgradeFacts, validateUpgrade } from './topology.js';

type Topology = NonNullable<Cluster['spec']['topology']>;
const path = 'spec.topology';

/** Validates a change of a topology against its ClusterClass and existing objects. */
export async function validateClusterLive(
  { object, old }: AdmissionChange<Cluster>,
  _context: AdmissionContext,
  reader: AdmissionReader,
): Promise<FieldError[]> {
  const topology = object?.spec.topology;
  const former = old?.spec.topology;
  const isLeaving = typeof object?.metadata.deletionTimestamp === 'string';
  if (object === undefined || topology === undefined || isLeaving || deepEqual(topology, former)) return [];
  const clusterClass = await classOf(object, topology, reader);
  // A Cluster may be created before its ClusterClass. The topology controller then waits for the ClusterClass.
  if (clusterClass === undefined) return [];
  const errors = [...validateWorkerClasses(topology, clusterClass), ...validateValues(topology, clusterClass, former)];
  if (old === undefined || former === undefined) return errors;
  if (!isSameClass(object, topology, former))
    errors.push(...(await validateRebase(object, former, clusterClass, reader)));
  if (topology.version !== former.version)
    errors.push(...validateUpgrade(object, old, await upgradeFacts(old, clusterClass, reader)));
  return errors;
}

async function classOf(
  { metadata }: Pick<Cluster, 'metadata'>,
  { classRef }: Topology,
  reader: AdmissionReader,
): Promise<ClusterClass | undefined> {
  const key = { namespace: classRef.namespace ?? metadata.namespace ?? '', name: classRef.name };
  return ifPresent(reader.get(clusterClasses, key)) as Promise<ClusterClass | undefined>;
}

function isSameClass({ metadata }: Cluster, { classRef }: Topology, former: Topology): boolean {
  const namespaceOf = (reference: Topology['classRef']): string => reference.namespace ?? metadata.namespace ?? '';
  return classRef.name === former.classRef.name && namespaceOf(classRef) === namespaceOf(former.classRef);
}

/** Rejects workers whose class is not in the ClusterClass. */
function validateWorkerClasses({ workers }: Topology, { spec }: ClusterClass): FieldError[] {
  return (['machineDeployments', 'machinePools'] as const).flatMap((part) => {
    const known = new Set((spec.workers?.[part] ?? []).map((worker) => worker.class));
    return (workers?.[part] ?? []).flatMap((worker, index) =>
      known.has(worker.class)
        ? []
        : [
            invalidField(
              `${path}.workers.${part}[${index}].class`,
              worker.class,
              `${part === 'machinePools' ? 'MachinePoolClass' : 'MachineDeploymentClass'} with name "${worker.class}" does not exist in ClusterClass`,
            ),
          ],
    );
  });
}

interface Overridable {
  readonly variables?: { readonly overrides?: Topology['variables'] };
}

/** Validates variables against the definitions in the ClusterClass status. Skipped until the ClusterClass was reconciled. */
function validateValues(topology: Topology, clusterClass: ClusterClass, former: Topology | undefined): FieldError[] {
  const { status, metadata } = clusterClass;
  const isKnown = status?.observedGeneration === metadata.generation && isConditionTrue(clusterClass, 'VariablesReady');
  if (!isKnown) return [];
  const definitions = (status?.variables ?? []) as readonly VariableStatus[];
  const values = defaultVariables(topology.variables ?? [], definitions);
  const overrides = (place: string, part: Overridable | undefined): FieldError[] =>
    validateOverrides(
      `${path}.${place}.variables.overrides`,
      defaultOverrides(part?.variables?.overrides ?? [], definitions),
      definitions,
    );
  const { controlPlane, workers } = topology;
  return [
    ...validateVariables(`${path}.variables`, values, definitions, former?.variables ?? []),
    ...overrides('controlPlane', controlPlane),
    ...(workers?.machineDeployments ?? []).flatMap((part, index) =>
      overrides(`workers.machineDeployments[${index}]`, part),
    ),
    ...(workers?.machinePools ?? []).flatMap((part, index) => overrides(`workers.machinePools[${index}]`, part)),
  ];
}

/** Rejects a new ClusterClass with templates of other kinds: existing objects cannot change their kind. */
async function validateRebase(
  object: Cluster,
  former: Topology,
  clusterClass: ClusterClass,
  reader: AdmissionReader,
): Promise<FieldError[]> {
  if (Object.hasOwn(object.metadata.annotations ?? {}, topologyAnnotations.disableUpdateClassNameCheck)) return [];
  const before = await classOf(object, former, reader);
  if (before === undefined) {
    const detail = `ClusterClass "${former.classRef.name}" could not be found: cannot verify that the new ClusterClass is compatible`;
    return [invalidField(`${path}.classRef`, object.spec.topology?.classRef.name, detail)];
  }
  return validateCompatible(clusterClass.spec, before.spec).map(({ reason, field, message }) => ({
    reason,
    field: `${path}.classRef`,
    message: `${field}: ${message}`,
  }));
}

async function upgradeFacts(old: Cluster, { spec }: ClusterClass, reader: AdmissionReader): Promise<UpgradeFacts> {
  const version = old.spec.topology?.version ?? '';
  const pending = old.metadata.annotations?.[runtimeAnnotations.pendingHooks] ?? '';
  return {
    classPlansUpgrades:
      (spec.kubernetesVersions ?? []).length > 0 || spec.upgrade?.external?.generateUpgradePlanExtension !== undefined,
    partsBehind: [...(await controlPlaneBehind(old, version, reader)), ...(await workersBehind(old, version, reader))],
    afterUpgradeHookPending: pending.split(',').includes('AfterClusterUpgrade'),
  };
}

interface ControlPlaneVersions {
  readonly spec?: { readonly version?: string };
  readonly status?: { readonly version?: string; readonly versions?: readonly { readonly version?: string }[] };
}

async function controlPlaneBehind(old: Cluster, version: string, reader: AdmissionReader): Promise<readonly string[]> {
  const reference = old.spec.controlPlaneRef;
  if (reference === undefined) return [];
  const { apiGroup, kind, name } = reference;
  const definitionName = definitionNameOf(apiGroup, kind);
  const definition = await ifPresent(reader.get(customResourceDefinitions, { namespace: '', name: definitionName }));
  const found = contractVersionOf(definition?.metadata.labels);
  if (found === undefined) return [];
  const plural = definitionName.slice(0, -apiGroup.length - 1);
  const resource = { group: apiGroup, version: found.version, kind, plural, namespaced: true };
  const key = { namespace: old.metadata.namespace ?? '', name };
  const object = (await ifPresent(reader.get<KubeObject>(resource, key))) as ControlPlaneVersions | undefined;
  const { versions, version: reported } = object?.status ?? {};
  const running = versions?.map((each) => each.version) ?? (reported === undefined ? [] : [reported]);
  const isBehind = object !== undefined && [object.spec?.version, ...running].some((each) => each !== version);
  return isBehind ? [`${kind} ${name}`] : [];
}

async function workersBehind(old: Cluster, version: string, reader: AdmissionReader): Promise<readonly string[]> {
  const { name = '', namespace = '' } = old.metadata;
  const labelSelector = `${labels.clusterName}=${name},${labels.topologyOwned}=`;
  const deployments = await reader.list(machineDeployments, { namespace, labelSelector });
  const pools = await reader.list(machinePools, { namespace, labelSelector });
  return [...deployments.items, ...pools.items]
    .filter(({ spec }) => spec.template.spec.version !== undefined && spec.template.spec.version !== version)
    .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`);
}
