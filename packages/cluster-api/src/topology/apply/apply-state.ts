import { asJson, type RandomSource } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import { controlPlaneFields } from '../control-plane-fields.js';
import { controlPlaneTemplatePrefix } from '../desired/object-names.js';
import { setField } from '../json-fields.js';
import type { Blueprint, CurrentState, DesiredState } from '../topology-state.js';
import type { ControlPlaneUpgrade, UpgradeState } from '../upgrade/upgrade-tracker.js';
import { applyCluster, applyClusterShim } from './apply-cluster.js';
import { applyDeployments, applyPools } from './apply-workers.js';
import type { NoOpCache } from './compare-by-dry-run.js';
import { applyHealthCheck, applyObject, applyTemplate, emptyEndpointFields } from './referenced-objects.js';
import { keyText, TopologyWriter } from './topology-writer.js';

export interface ApplyInput {
  readonly blueprint: Blueprint;
  readonly current: CurrentState;
  readonly desired: DesiredState;
  readonly upgrade: UpgradeState;
}

/** Applies the desired state of a topology in dependency order. */
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
    // If the infrastructure was just created, the Cluster must reference it before the error is thrown. Otherwise the next
    // reconcile would create another one.
    if (!isInfrastructureNew) throw error;
    failure = error;
    hasControlPlane = current.controlPlane !== undefined;
  }
  await applyCluster(context, current, desired, { hasControlPlane });
  if (failure !== undefined) throw failure as Error;
  await applyDeployments(writer, current, desired, upgrade.machineDeployments, random);
  await applyPools(writer, current, desired, upgrade.machinePools);
}

/** Applies the machine template of the control plane, then the control plane. Returns whether the control plane was created. */
async function applyControlPlane(
  writer: TopologyWriter,
  blueprint: Blueprint,
  current: CurrentState,
  desired: DesiredState['controlPlane'],
  upgrade: ControlPlaneUpgrade,
  random: RandomSource,
): Promise<boolean> {
  // Health checks do not depend on versions, so they are applied even during an upgrade.
  await applyHealthCheck(writer, current.controlPlane?.healthCheck, desired.healthCheck);
  // Wait for the version upgrade: a change before it would replace all machines twice.
  if (upgrade.isPendingUpgrade) return false;
  const { object, machineInfrastructure } = desired;
  let isTemplateNew = false;
  if (machineInfrastructure !== undefined) {
    const prefix = controlPlaneTemplatePrefix(current.cluster.metadata.name ?? '');
    const existing = current.controlPlane?.machineInfrastructure;
    isTemplateNew = await applyTemplate(writer, existing, machineInfrastructure, { prefix }, random);
    const { infrastructureRef } = controlPlaneFields[blueprint.controlPlane.contract];
    setField(asJson(object), [...infrastructureRef, 'name'], machineInfrastructure.metadata.name ?? '');
  }
  let isCreated: boolean;
  try {
    const options = { ignored: emptyEndpointFields(object), isVersioned: true };
    isCreated = await applyObject(writer, current.controlPlane?.object, object, options);
  } catch (error) {
    if (isTemplateNew && machineInfrastructure !== undefined) await writer.discard(machineInfrastructure);
    throw error;
  }
  const old = current.controlPlane?.machineInfrastructure;
  if (old !== undefined && isTemplateNew) {
    const message = `Deleted ${old.kind} "${keyText(old)}": a template rotation replaced it`;
    await writer.delete(old, { reason: 'TemplateRotated', message }, { eventOn: 'none' });
  }
  return isCreated;
}
