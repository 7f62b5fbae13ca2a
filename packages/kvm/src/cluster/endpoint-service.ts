import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Outcome, ReconcileContext, Trigger, Watch } from '@slipway/runtime';
import type { KVMCluster, KVMMachine } from '../api/index.js';
import type { BackendName } from '../machine/vm-service.js';

export type ExposureType = NonNullable<NonNullable<NonNullable<KVMCluster['spec']>['controlPlaneExposure']>['type']>;

/** An API server behind the endpoint. It is added when its machine runs and removed before the machine is shut down. */
export interface EndpointMember {
  /** Name of its KVMMachine. */
  readonly name: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  /** Address at which this host, or the cluster of the pods, reaches it. */
  readonly host: string;
  readonly port: number;
  /** The machine is deleting: no new connections. The machine waits until `isDetached` is true. */
  readonly isLeaving: boolean;
}

export interface EndpointRequest {
  readonly kvmCluster: Frozen<KVMCluster>;
  readonly cluster: ObservedCluster;
  readonly backend: BackendName;
  readonly exposure: NonNullable<NonNullable<Frozen<KVMCluster>['spec']>['controlPlaneExposure']>;
  readonly members: readonly EndpointMember[];
}

export interface EndpointProgress {
  /** Written to `spec.controlPlaneEndpoint` if that is empty. Absent until it is known. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  /** Why the endpoint is not ready. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** Names of the members that receive connections. */
  readonly attached: readonly string[];
  readonly outcome: Outcome;
}

/** One way to expose a control plane. All calls are idempotent. */
export interface EndpointService {
  readonly types: readonly ExposureType[];
  watches?(): readonly Watch[];
  triggers?(): readonly Trigger[];
  ensure(request: EndpointRequest, context: ReconcileContext): Promise<EndpointProgress>;
  /** Called after the last machine is deleted. Returns what it still waits for. */
  remove(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<string | undefined>;
}
