import type { ReconcileContext } from '@slipway/runtime';
import type { Blueprint, CurrentState, DesiredState } from '../topology-state.js';
import type { UpgradeState } from '../upgrade/upgrade-tracker.js';
import { applyCluster } from './apply-cluster.js';
import { applyClusterShim } from './apply-cluster-shim.js';
import { applyControlPlane } from './apply-control-plane.js';
import { applyDeployments, applyPools } from './apply-workers.js';
import type { NoOpCache } from './no-op-cache.js';
import { applyObject, emptyEndpointFields } from './referenced-objects.js';
import { TopologyWriter } from './topology-writer.js';

export interface ApplyInput {
  readonly blueprint: Blueprint;
  readonly current: CurrentState;
  readonly desired: DesiredState;
  readonly upgrade: UpgradeState;
}

/** Brings the objects of a topology to what is wanted, in the order in which they need each other. */
export async function applyState(context: ReconcileContext, cache: NoOpCache, input: ApplyInput): Promise<void> {
  const { blueprint, current, desired, upgrade } = input;
  const { random } = context;
  const writer = new TopologyWriter(context, current.cluster, cache);
  await applyClusterShim(context, current, desired);
  const isInfrastructureNew = await applyObject(writer, current.infrastructureCluster, desired.infrastructureCluster, {
    ignored: emptyEndpointFields(desired.infrastructureCluster),
  });
  let failure: unknown;
  let hasControlPlane = true;
  try {
    await applyControlPlane(writer, blueprint, current, desired.controlPlane, upgrade.controlPlane, random);
  } catch (error) {
    // Infrastructure that was just made is referred to first: otherwise another one is made the next time.
    if (!isInfrastructureNew) throw error;
    failure = error;
    hasControlPlane = current.controlPlane !== undefined;
  }
  await applyCluster(context, writer, current, desired, { hasControlPlane });
  if (failure !== undefined) throw failure as Error;
  await applyDeployments(writer, current, desired, upgrade.machineDeployments, random);
  await applyPools(writer, current, desired, upgrade.machinePools);
}
