import type { Machine, ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';
import type { WorkloadCluster } from '../workload/index.js';

/** The software on a running machine, independent of the infrastructure provider. */
export interface Guest {
  readonly context: Pick<ReconcileContext, 'read' | 'clock'>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  readonly clusterKey: ObjectKey;
  readonly workload: WorkloadCluster;
  readonly isControlPlane: boolean;
  /** Name of the machine and of its Node. */
  readonly name: string;
  readonly uid: string;
  /** Kubernetes version. */
  readonly version: string;
  readonly address: string;
  readonly providerId: string;
}
