import type { Machine, ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';
import type { WorkloadCluster } from '../workload/index.js';

/** What runs on a machine that is switched on, whatever made the machine. */
export interface Guest {
  readonly context: Pick<ReconcileContext, 'read' | 'clock'>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  readonly clusterKey: ObjectKey;
  readonly workload: WorkloadCluster;
  readonly isControlPlane: boolean;
  /** Of the machine, and of its Node. */
  readonly name: string;
  readonly uid: string;
  /** Of Kubernetes. */
  readonly version: string;
  readonly address: string;
  readonly providerId: string;
}
