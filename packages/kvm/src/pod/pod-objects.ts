import type { ConfigMap, PersistentVolumeClaim, PodDisruptionBudget, Secret } from '@slipway/runtime';
import { kvmLabels, machineSizeOf } from '../api/index.js';
import type { BootstrapData } from '../machine/vm-service.js';
import { machineLabels, objectNames } from './pod-names.js';
import { documentFile } from './pod-settings.js';
import { claimsOf } from './pod-volumes.js';
import type { VmDocument } from './vm-document.js';

/** What the launcher is to run. */
export function documentConfigMap(document: VmDocument, namespace: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: objectNames(document.name).document, namespace, labels: machineLabels(document) },
    immutable: true,
    data: { [documentFile]: JSON.stringify(document, undefined, 2) },
  };
}

/** A copy of the bootstrap data, which the pod may still need when a move has taken the original away. */
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
      // One node at a time, and one pod: two machines on one disk would destroy it.
      accessModes: ['ReadWriteOncePod'],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: String(bytes) } },
    },
  }));
}

/** Nobody drains the node of a running machine past us: the Machine is replaced instead. */
export function disruptionBudget(document: VmDocument, namespace: string): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: document.name, namespace, labels: machineLabels(document) },
    spec: { maxUnavailable: 0, selector: { matchLabels: { [kvmLabels.machineUuid]: document.uuid } } },
  };
}
