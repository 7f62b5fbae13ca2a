import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Outcome, ReconcileContext, Trigger, Watch } from '@slipway/runtime';
import type { KVMCluster, KVMMachine } from '../api/index.js';
import type { BackendName } from '../machine/vm-service.js';

export type ExposureType = NonNullable<NonNullable<NonNullable<KVMCluster['spec']>['controlPlaneExposure']>['type']>;

/** An API server behind the endpoint. It is added when its machine runs and removed before the machine is shut down. */
export interface EndpointMember {
  /** Name of the KVMMachine that runs the API server. */
  readonly name: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  /** Address at which this host, or the cluster that runs the pods, reaches the API server. */
  readonly host: string;
  readonly port: number;
  /**
   * Whether the machine is being deleted. If so, the endpoint sends it no new connections, and the deletion waits until
   * the endpoint has detached it.
   */
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
  /** Control plane endpoint, written to `spec.controlPlaneEndpoint` if that field is empty. Absent until it is known. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  /** Why the endpoint is not ready. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** Names of the members that receive connections. */
  readonly attached: readonly string[];
  readonly outcome: Outcome;
}

/** One way to expose a control plane, such as HAProxy or a Service. All calls are idempotent. */
export interface EndpointService {
  readonly types: readonly ExposureType[];
  watches?(): readonly Watch[];
  triggers?(): readonly Trigger[];
  ensure(request: EndpointRequest, context: ReconcileContext): Promise<EndpointProgress>;
  /**
   * Removes the endpoint after the last machine is deleted. Returns what the removal still waits for, or undefined when it is
   * done.
   */
  remove(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<string | undefined>;
}
