import type { Frozen } from '@slipway/kube';
import {
  configMaps,
  done,
  edit,
  hasFinalizer,
  ifPresent,
  nodes,
  type Outcome,
  patchObject,
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
import type { OperatorWorld } from './operator-world.js';
import { withOneCondition } from './report.js';

/** A VDOConfig that goes leaves the drivers running, unless it was said otherwise. Volumes are never touched. */
export async function removeDrivers(
  config: Frozen<VdoConfig>,
  isActive: boolean,
  context: ReconcileContext,
  world: OperatorWorld,
): Promise<Outcome> {
  if (!hasFinalizer(config, finalizer)) return done();
  if (isActive) {
    const policy = config.metadata.annotations?.[annotations.deletionPolicy] ?? world.options.deletionPolicy;
    if (policy === 'Delete') {
      const blocked = await removeBoth(config, context, world);
      if (blocked !== undefined) return blocked;
    }
    await unlabelNodes(context);
  }
  await releaseFinalizer(context, vdoConfigs, config, finalizer);
  return done();
}

async function removeBoth(
  config: Frozen<VdoConfig>,
  context: ReconcileContext,
  world: OperatorWorld,
): Promise<Outcome | undefined> {
  const { client, signal } = context;
  await removeOne('cpi', context, world);
  // Whoever detaches volumes needs the driver and its account.
  const { items } = await client.list(volumeAttachments, { signal });
  const attached = items.filter(({ spec }) => spec.attacher === csiDriverName);
  if (attached.length > 0) {
    const message = `${attached.length} volumes of ${csiDriverName} are attached, so that the storage driver stays; ${remedies.VolumesAttached}`;
    const after = withOneCondition(
      config,
      [{ type: 'Ready', status: 'False', reason: 'VolumesAttached', message }],
      context.clock.now(),
    );
    await patchObject(client, vdoConfigs, config, after, { ownedConditions: 'all', signal });
    // VolumeAttachments are many and short-lived: they are not watched for the rare case that this is.
    return wait({ ms: 30_000, reason: 'VolumesAttached', message });
  }
  await removeOne('csi', context, world);
  return undefined;
}

async function removeOne(
  driver: DriverName,
  { client, logger, signal }: ReconcileContext,
  world: OperatorWorld,
): Promise<void> {
  const { namespace } = world.options;
  const inventory = await readInventory(client, namespace, driver, signal);
  if (inventory === undefined) return;
  await removeObjects([...inventory.objects, ...inventory.stale], { client, logger, signal });
  await ifPresent(client.delete(configMaps, { namespace, name: inventoryName(driver) }, { signal }));
}

async function unlabelNodes({ sources, client, signal }: ReconcileContext): Promise<void> {
  for (const node of sources.sourceFor(nodes).list()) {
    if (node.metadata.labels?.[labels.node] === undefined) continue;
    const after = edit(node, (draft) => {
      if (draft.metadata.labels !== undefined) delete draft.metadata.labels[labels.node];
    });
    await patchObject(client, nodes, node, after, { signal });
  }
}
