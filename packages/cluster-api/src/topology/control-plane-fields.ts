import { asJson, formatDuration, type JsonObject, msToDuration } from '@slipway/kube';
import type { Contract } from '../contract/index.js';
import { type FieldPath, fieldAt } from './json-fields.js';
import type { ObservedObject } from './topology-state.js';

/** The paths of the control plane fields that a topology sets, by contract. */
export interface ControlPlaneFields {
  readonly infrastructureRef: FieldPath;
  readonly readinessGates: FieldPath;
  readonly taints: FieldPath;
  readonly rolloutAfter: FieldPath;
  readonly nodeDrainTimeout: FieldPath;
  readonly nodeVolumeDetachTimeout: FieldPath;
  readonly nodeDeletionTimeout: FieldPath;
}

const machineTemplate = ['spec', 'machineTemplate'] as const;
const machineSpec = [...machineTemplate, 'spec'] as const;

export const controlPlaneFields: Readonly<Record<Contract, ControlPlaneFields>> = {
  v1beta1: {
    infrastructureRef: [...machineTemplate, 'infrastructureRef'],
    readinessGates: [...machineTemplate, 'readinessGates'],
    taints: [...machineTemplate, 'taints'],
    rolloutAfter: ['spec', 'rolloutAfter'],
    nodeDrainTimeout: [...machineTemplate, 'nodeDrainTimeout'],
    nodeVolumeDetachTimeout: [...machineTemplate, 'nodeVolumeDetachTimeout'],
    nodeDeletionTimeout: [...machineTemplate, 'nodeDeletionTimeout'],
  },
  v1beta2: {
    infrastructureRef: [...machineSpec, 'infrastructureRef'],
    readinessGates: [...machineSpec, 'readinessGates'],
    taints: [...machineSpec, 'taints'],
    rolloutAfter: ['spec', 'rollout', 'after'],
    nodeDrainTimeout: [...machineSpec, 'deletion', 'nodeDrainTimeoutSeconds'],
    nodeVolumeDetachTimeout: [...machineSpec, 'deletion', 'nodeVolumeDetachTimeoutSeconds'],
    nodeDeletionTimeout: [...machineSpec, 'deletion', 'nodeDeletionTimeoutSeconds'],
  },
};

/** The field has the same path in both contracts. */
export const machineMetadataField = [...machineTemplate, 'metadata'] as const;
export const versionField = ['spec', 'version'] as const;
export const replicasField = ['spec', 'replicas'] as const;

/** Returns a timeout in the form of the contract: seconds, or a duration. */
export function timeoutValue(contract: Contract, seconds: number): number | string {
  return contract === 'v1beta2' ? seconds : formatDuration(msToDuration(seconds * 1_000));
}

export function specVersionOf(controlPlane: ObservedObject): string {
  return textAt(asJson(controlPlane), versionField) ?? '';
}

/** Returns the versions of a control plane's machines. Empty if there are none. */
export function statusVersionsOf(controlPlane: ObservedObject): readonly string[] {
  const object = asJson(controlPlane);
  const versions = fieldAt(object, ['status', 'versions']);
  if (Array.isArray(versions) && versions.length > 0) {
    return versions.map((entry) => textAt(entry as JsonObject, ['version']) ?? '').filter((text) => text !== '');
  }
  const version = textAt(object, ['status', 'version']) ?? '';
  return version === '' ? [] : [version];
}

function textAt(object: JsonObject, path: FieldPath): string | undefined {
  const value = fieldAt(object, path);
  return typeof value === 'string' ? value : undefined;
}
