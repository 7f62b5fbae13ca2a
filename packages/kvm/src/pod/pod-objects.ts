import type { ConfigMap, PersistentVolumeClaim, PodDisruptionBudget, Secret } from '@slipway/runtime';
import { kvmLabels, machineSizeOf } from '../api/index.js';
import type { BootstrapData } from '../machine/vm-service.js';
import { machineLabels, objectNames } from './pod-names.js';
import { documentFile } from './pod-settings.js';
import { claimsOf } from './pod-volumes.js';
import type { VmDocument } from './vm-document.js';

/** Returns the ConfigMap with the specification of the virtual machine for the launcher. */
export function documentConfigMap(document: VmDocument, namespace: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: objectNames(document.name).document, namespace, labels: machineLabels(document) },
    immutable: true,
    data: { [documentFile]: JSON.stringify(document, undefined, 2) },
  };
}

/** Returns a copy of the bootstrap data, because a move may delete the original Secret before the pod has read it. */
export function bootstrapSecret(document: VmDocument, namespace: string, data: BootstrapData): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: objectNames(document.name).bootstrap, namespace, labels: machineLabels(document) },
    type: 'cluster.x-k8s.io/secret',
    data: {
      value: Buffer.from(data.value).toString('base64'),
      format: Buffer.from(data.format).toString('base64'),
    },
  };
}

export function diskClaims(document: VmDocument, namespace: string): PersistentVolumeClaim[] {
  return claimsOf(document, machineSizeOf(document.spec)).map(({ name, storageClassName, bytes }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, labels: machineLabels(document) },
    spec: {
      // Only one pod may use the volume at a time: two virtual machines would corrupt the disk.
      accessModes: ['ReadWriteOncePod'],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: String(bytes) } },
    },
  }));
}

/**
 * Returns a PodDisruptionBudget that blocks evictions of a running machine: to drain the node below it, the Machine must be
 * replaced.
 */
export function disruptionBudget(document: VmDocument, namespace: string): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: document.name, namespace, labels: machineLabels(document) },
    spec: { maxUnavailable: 0, selector: { matchLabels: { [kvmLabels.machineUuid]: document.uuid } } },
  };
}
