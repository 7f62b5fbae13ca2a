import { asJson, type RandomSource } from '@slipway/kube';
import { controlPlaneFields } from '../control-plane-fields.js';
import { controlPlaneTemplatePrefix } from '../desired/object-names.js';
import { setField } from '../json-fields.js';
import type { Blueprint, CurrentState, DesiredState } from '../topology-state.js';
import type { ControlPlaneUpgrade } from '../upgrade/upgrade-tracker.js';
import { applyHealthCheck } from './apply-health-check.js';
import { applyObject, applyTemplate, emptyEndpointFields } from './referenced-objects.js';
import type { TopologyWriter } from './topology-writer.js';

/** Applies the control plane, after the template of its machines. True when it was created. */
export async function applyControlPlane(
  writer: TopologyWriter,
  blueprint: Blueprint,
  current: CurrentState,
  desired: DesiredState['controlPlane'],
  upgrade: ControlPlaneUpgrade,
  random: RandomSource,
): Promise<boolean> {
  // Health checks do not depend on versions, so they do not wait for an upgrade.
  await applyHealthCheck(writer, current.controlPlane?.healthCheck, desired.healthCheck);
  // A change now and a version soon would replace all machines twice.
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
  if (old !== undefined && isTemplateNew) await writer.delete(old);
  return isCreated;
}
