import type { Frozen } from '@slipway/kube';
import {
  type Change,
  configMaps,
  done,
  edit,
  hasFinalizer,
  nodes,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  volumeAttachments,
  wait,
} from '@slipway/runtime';
import {
  annotations,
  csiDriverName,
  type DriverName,
  finalizer,
  inventoryName,
  labels,
  remedies,
  type VdoConfig,
  vdoConfigs,
} from '../api/index.js';
import { readInventory, removeObjects } from '../deploy/index.js';
import type { OperatorDependencies } from './dependencies.js';
import { withOneCondition } from './report.js';

/** Handles the deletion of a VDOConfig. The drivers are kept, unless the deletion policy is Delete. Volumes are never deleted. */
export async function removeDrivers(
  config: Frozen<VdoConfig>,
  isActive: boolean,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome> {
  if (!hasFinalizer(config, finalizer)) return done();
  if (isActive) {
    const policy = config.metadata.annotations?.[annotations.deletionPolicy] ?? dependencies.options.deletionPolicy;
    if (policy === 'Delete') {
      const blocked = await removeBoth(config, context, dependencies);
      if (blocked !== undefined) return blocked;
    }
    await context.changeAll(unlabelChanges(context));
  }
  await releaseFinalizer(context, vdoConfigs, config, finalizer);
  return done();
}

async function removeBoth(
  config: Frozen<VdoConfig>,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome | undefined> {
  await removeOne('cpi', context, dependencies);
  // The drivers are kept while volumes are attached: detaching requires the driver and its account.
  const { items } = await context.read.list(volumeAttachments, { signal: context.signal });
  const attached = items.filter(({ spec }) => spec.attacher === csiDriverName);
  if (attached.length > 0) {
    const reason = 'VolumesAttached';
    const message = `${attached.length} volumes of ${csiDriverName} are attached, so the storage driver is kept; ${remedies.VolumesAttached}`;
    const after = withOneCondition(config, [{ type: 'Ready', status: 'False', reason, message }], context.clock.now());
    await context.change({
      verb: 'status',
      resource: vdoConfigs,
      before: config,
      after,
      ownedConditions: 'all',
      reason,
      message,
    });
    // VolumeAttachments are polled in this rare case, because they are too many and too short-lived to watch.
    return wait({ ms: 30_000, reason, message });
  }
  await removeOne('csi', context, dependencies);
  return undefined;
}

async function removeOne(
  driver: DriverName,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<void> {
  const { namespace } = dependencies.options;
  const inventory = await readInventory(context.read, namespace, driver, context.signal);
  if (inventory === undefined) return;
  const reason = 'VDOConfigDeleted';
  const phrase = `to remove ${driver.toUpperCase()} ${inventory.version} with its VDOConfig`;
  await removeObjects([...inventory.objects, ...inventory.stale], context, { reason, phrase });
  const key = { namespace, name: inventoryName(driver) };
  const message = `Deleted the inventory ${phrase}`;
  await context.change({ verb: 'delete', resource: configMaps, key, reason, message });
}

function unlabelChanges({ sources }: ReconcileContext): Change[] {
  return [...sources.sourceFor(nodes).list()].flatMap((node): Change[] => {
    if (node.metadata.labels?.[labels.node] === undefined) return [];
    const after = edit(node, (draft) => {
      if (draft.metadata.labels !== undefined) delete draft.metadata.labels[labels.node];
    });
    const message = `Removed the label of the drivers from Node ${node.metadata.name ?? ''}`;
    return [{ verb: 'patch', resource: nodes, before: node, after, reason: 'VDOConfigDeleted', message }];
  });
}
