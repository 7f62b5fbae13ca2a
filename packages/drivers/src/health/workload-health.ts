import type { Frozen } from '@slipway/kube';
import type { DaemonSet, Deployment } from '@slipway/runtime';
import type { WorkloadStatus } from '../api/index.js';

export interface WorkloadHealth extends WorkloadStatus {
  /** Whether status.observedGeneration is current. */
  readonly isObserved: boolean;
  readonly available: number;
}

export function daemonSetHealth({ metadata, status }: Frozen<DaemonSet>): WorkloadHealth {
  return {
    kind: 'DaemonSet',
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    desired: status?.desiredNumberScheduled ?? 0,
    ready: status?.numberReady ?? 0,
    updated: status?.updatedNumberScheduled ?? 0,
    available: status?.numberAvailable ?? 0,
    isObserved: status?.observedGeneration === metadata.generation,
  };
}

export function deploymentHealth({ metadata, spec, status = {} }: Frozen<Deployment>): WorkloadHealth {
  return {
    kind: 'Deployment',
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    desired: spec?.replicas ?? 1,
    ready: status.readyReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? 0,
    isObserved: status.observedGeneration === metadata.generation,
  };
}

export function isComplete({ desired, updated, available, isObserved }: WorkloadHealth): boolean {
  return isObserved && updated === desired && available === desired;
}

export function workloadText({ name, ready, desired }: WorkloadHealth): string {
  return `${name} ${ready}/${desired}`;
}
