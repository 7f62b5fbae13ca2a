import type { PodTemplate } from './core.js';
import { type BuiltinObject, type Condition, type LabelSelectorValue, namespacedResource } from './define.js';

type WorkloadSpec = { selector: LabelSelectorValue; template: PodTemplate };

export type Deployment = BuiltinObject<
  'apps/v1',
  'Deployment',
  {
    spec?: WorkloadSpec & {
      replicas?: number;
      paused?: boolean;
      minReadySeconds?: number;
      revisionHistoryLimit?: number;
      progressDeadlineSeconds?: number;
      strategy?: {
        type?: string;
        rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
      };
    };
    status?: {
      observedGeneration?: number;
      replicas?: number;
      updatedReplicas?: number;
      readyReplicas?: number;
      availableReplicas?: number;
      unavailableReplicas?: number;
      conditions?: Condition[];
    };
  }
>;
export const deployments = namespacedResource<Deployment>('apps', 'v1', 'Deployment', 'deployments');

export type DaemonSet = BuiltinObject<
  'apps/v1',
  'DaemonSet',
  {
    spec?: WorkloadSpec & { minReadySeconds?: number; updateStrategy?: { type?: string } };
    status?: {
      observedGeneration?: number;
      currentNumberScheduled?: number;
      desiredNumberScheduled?: number;
      numberReady?: number;
      numberAvailable?: number;
      numberMisscheduled?: number;
      numberUnavailable?: number;
      updatedNumberScheduled?: number;
      conditions?: Condition[];
    };
  }
>;
export const daemonSets = namespacedResource<DaemonSet>('apps', 'v1', 'DaemonSet', 'daemonsets');

export type StatefulSet = BuiltinObject<
  'apps/v1',
  'StatefulSet',
  {
    spec?: WorkloadSpec & { replicas?: number; serviceName?: string; podManagementPolicy?: string };
    status?: {
      observedGeneration?: number;
      replicas?: number;
      readyReplicas?: number;
      currentReplicas?: number;
      updatedReplicas?: number;
      conditions?: Condition[];
    };
  }
>;
export const statefulSets = namespacedResource<StatefulSet>('apps', 'v1', 'StatefulSet', 'statefulsets');

export type ReplicaSet = BuiltinObject<
  'apps/v1',
  'ReplicaSet',
  {
    spec?: WorkloadSpec & { replicas?: number; minReadySeconds?: number };
    status?: {
      observedGeneration?: number;
      replicas?: number;
      readyReplicas?: number;
      availableReplicas?: number;
      conditions?: Condition[];
    };
  }
>;
export const replicaSets = namespacedResource<ReplicaSet>('apps', 'v1', 'ReplicaSet', 'replicasets');
