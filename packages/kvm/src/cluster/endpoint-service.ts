import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Outcome, ReconcileContext, Trigger, Watch } from '@slipway/runtime';
import type { KVMCluster, KVMMachine } from '../api/index.js';
import type { BackendName } from '../machine/vm-service.js';

export type ExposureType = NonNullable<NonNullable<NonNullable<KVMCluster['spec']>['controlPlaneExposure']>['type']>;

/** An API server that the endpoint leads to. It joins when its machine is up, and leaves before it is shut down. */
export interface EndpointMember {
  /** Of its machine. */
  readonly name: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  /** As this host, or the cluster of the pods, reaches it. */
  readonly host: string;
  readonly port: number;
  /** It goes: no new connections. Its machine waits until `isDetached` says so. */
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
  /** Written to `spec.controlPlaneEndpoint` if that is empty; absent as long as it is not known. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  /** Why it does not answer yet, or no longer. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** Names of the members that connections are given to. */
  readonly attached: readonly string[];
  readonly outcome: Outcome;
}

/** One way to expose a control plane. Every call can be repeated at any time. */
export interface EndpointService {
  readonly types: readonly ExposureType[];
  watches?(): readonly Watch[];
  triggers?(): readonly Trigger[];
  ensure(request: EndpointRequest, context: ReconcileContext): Promise<EndpointProgress>;
  /** After the last machine. Gives back what it still waits for. */
  remove(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<string | undefined>;
}
