import { asJson, type Frozen, type KubeObject, type RandomSource } from '@slipway/kube';
import { isDeleting, type Resource } from '@slipway/runtime';
import { labels, machineDeployments, machinePools } from '../../api/index.js';
import { workerTemplatePrefix } from '../desired/object-names.js';
import { setField } from '../json-fields.js';
import type {
  CurrentDeployment,
  CurrentPool,
  CurrentState,
  DesiredDeployment,
  DesiredPool,
  DesiredState,
} from '../topology-state.js';
import type { WorkersUpgrade } from '../upgrade/upgrade-tracker.js';
import {
  applyHealthCheck,
  applyObject,
  applyTemplate,
  createdCause,
  removedCause,
  updatedCause,
} from './referenced-objects.js';
import type { TopologyWriter } from './topology-writer.js';

/** Creates, updates and deletes MachineDeployments, in the order of the topology. */
export async function applyDeployments(
  writer: TopologyWriter,
  current: CurrentState,
  desired: DesiredState,
  upgrade: WorkersUpgrade,
  random: RandomSource,
): Promise<void> {
  const existing = current.machineDeployments;
  const created = await creatable(
    writer,
    machineDeployments,
    labels.topologyDeploymentName,
    desired.machineDeployments,
    existing,
    upgrade,
  );
  for (const [name, worker] of created) await createDeployment(writer, name, worker, random);
  for (const [name, worker] of desired.machineDeployments) {
    const before = existing.get(name);
    if (before !== undefined) await updateDeployment(writer, name, before, worker, upgrade, random);
  }
  for (const [name, worker] of existing) {
    if (desired.machineDeployments.has(name)) continue;
    await applyHealthCheck(writer, worker.healthCheck, undefined);
    await deleteWorker(writer, worker.object as Frozen<KubeObject>);
  }
}

/** Creates, updates and deletes MachinePools, in the order of the topology. */
export async function applyPools(
  writer: TopologyWriter,
  current: CurrentState,
  desired: DesiredState,
  upgrade: WorkersUpgrade,
): Promise<void> {
  const existing = current.machinePools;
  const created = await creatable(
    writer,
    machinePools,
    labels.topologyPoolName,
    desired.machinePools,
    existing,
    upgrade,
  );
  for (const [, worker] of created) await createPool(writer, worker);
  for (const [name, worker] of desired.machinePools) {
    const before = existing.get(name);
    if (before !== undefined) await updatePool(writer, before, worker, upgrade);
  }
  for (const [name, worker] of existing) {
    if (!desired.machinePools.has(name)) await deleteWorker(writer, worker.object as Frozen<KubeObject>);
  }
}

/**
 * Returns the workers that do not exist and may be created now. Reads from the API server: names are generated, so that a stale
 * cache would lead to the same workers being created twice.
 */
async function creatable<T>(
  writer: TopologyWriter,
  resource: Resource,
  label: string,
  desired: ReadonlyMap<string, T>,
  existing: ReadonlyMap<string, unknown>,
  { pendingCreate }: WorkersUpgrade,
): Promise<readonly (readonly [string, T])[]> {
  const missing = [...desired].filter(([name]) => !existing.has(name) && !pendingCreate.has(name));
  if (missing.length === 0) return [];
  const { namespace = '', name: cluster = '' } = writer.cluster.metadata;
  const labelSelector = `${labels.clusterName}=${cluster},${labels.topologyOwned}=`;
  const { items } = await writer.read.list(resource, { namespace, labelSelector, metadataOnly: true });
  const existingNames = new Set(items.map(({ metadata }) => metadata.labels?.[label] ?? ''));
  return missing.filter(([name]) => !existingNames.has(name));
}

async function createDeployment(
  writer: TopologyWriter,
  name: string,
  { object, bootstrap, infrastructure, healthCheck }: DesiredDeployment,
  random: RandomSource,
): Promise<void> {
  const prefix = workerTemplatePrefix(writer.cluster.metadata.name ?? '', name);
  const made: KubeObject[] = [];
  await withCleanUp(writer, made, async () => {
    for (const template of [infrastructure, bootstrap]) {
      if (await applyTemplate(writer, undefined, template, { prefix }, random)) made.push(template);
    }
    await writer.create(object as KubeObject, createdCause(object as KubeObject));
  });
  await applyHealthCheck(writer, undefined, healthCheck);
}

async function updateDeployment(
  writer: TopologyWriter,
  name: string,
  current: CurrentDeployment,
  desired: DesiredDeployment,
  upgrade: WorkersUpgrade,
  random: RandomSource,
): Promise<void> {
  const before = current.object as Frozen<KubeObject>;
  if (isDeleting(before)) return;
  await applyHealthCheck(writer, current.healthCheck, desired.healthCheck);
  // Wait for the version upgrade: a change before it would replace all machines twice.
  if (upgrade.pending.has(before.metadata.name ?? '')) return;
  const object = desired.object as KubeObject;
  const prefix = workerTemplatePrefix(writer.cluster.metadata.name ?? '', name);
  const made: KubeObject[] = [];
  await withCleanUp(writer, made, async () => {
    const { infrastructure, bootstrap } = desired;
    if (await applyTemplate(writer, current.infrastructure, infrastructure, { prefix }, random))
      made.push(infrastructure);
    const options = { prefix, kindMayChange: true };
    if (await applyTemplate(writer, current.bootstrap, bootstrap, options, random)) made.push(bootstrap);
    const spec = ['spec', 'template', 'spec'] as const;
    setField(asJson(object), [...spec, 'infrastructureRef', 'name'], infrastructure.metadata.name ?? '');
    setField(asJson(object), [...spec, 'bootstrap', 'configRef', 'name'], bootstrap.metadata.name ?? '');
    if (!(await writer.compare(before, object)).isChanged) return;
    await writer.patch(before, object, updatedCause(object, versionsOf(current, desired)));
  });
}

async function createPool(writer: TopologyWriter, { object, bootstrap, infrastructure }: DesiredPool): Promise<void> {
  const made: KubeObject[] = [];
  await withCleanUp(writer, made, async () => {
    for (const part of [infrastructure, bootstrap]) {
      if (await applyObject(writer, undefined, part)) made.push(part);
    }
    await writer.create(object as KubeObject, createdCause(object as KubeObject));
  });
}

async function updatePool(
  writer: TopologyWriter,
  current: CurrentPool,
  desired: DesiredPool,
  upgrade: WorkersUpgrade,
): Promise<void> {
  const before = current.object as Frozen<KubeObject>;
  if (isDeleting(before) || upgrade.pending.has(before.metadata.name ?? '')) return;
  await applyObject(writer, current.infrastructure, desired.infrastructure);
  await applyObject(writer, current.bootstrap, desired.bootstrap);
  const object = desired.object as KubeObject;
  if (!(await writer.compare(before, object)).isChanged) return;
  await writer.patch(before, object, updatedCause(object, versionsOf(current, desired)));
}

function versionsOf(
  current: CurrentDeployment | CurrentPool,
  desired: DesiredDeployment | DesiredPool,
): { readonly from: string | undefined; readonly to: string | undefined } {
  return { from: current.object.spec.template.spec.version, to: desired.object.spec.template.spec.version };
}

async function deleteWorker(writer: TopologyWriter, object: Frozen<KubeObject>): Promise<void> {
  if (isDeleting(object)) return;
  await writer.delete(object, removedCause(object));
}

async function withCleanUp(
  writer: TopologyWriter,
  made: readonly KubeObject[],
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    for (const object of made) await writer.discard(object);
    throw error;
  }
}
