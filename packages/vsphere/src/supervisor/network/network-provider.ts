import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import type { SupervisorCluster, SupervisorMachine, VirtualMachine } from '../../api/index.js';
import type { VSphereFeatures } from '../../feature-gates.js';

export interface NetworkScope {
  readonly context: ReconcileContext;
  readonly cluster: ObservedCluster;
  readonly vsphereCluster: Frozen<SupervisorCluster>;
  readonly features: VSphereFeatures;
}

export type VmNetwork = NonNullable<NonNullable<VirtualMachine['spec']>['network']>;
export type VmInterface = NonNullable<VmNetwork['interfaces']>[number];
export type MachineNetwork = Frozen<SupervisorMachine>['spec']['network'];

/** Connects clusters and their machines to one type of Supervisor network. */
export interface NetworkProvider {
  readonly hasLoadBalancer: boolean;
  /** Whether VM Operator may probe the VMs. Some load balancers have their own health checks. */
  readonly supportsReadinessProbe: boolean;
  /** Creates the cluster's own network if the provider requires one. Throws until a network is ready. */
  ensureNetwork(scope: NetworkScope): Promise<void>;
  /** Annotations that bind the load balancer to its network. */
  serviceAnnotations(scope: NetworkScope): Promise<Readonly<Record<string, string>>>;
  /** Returns the desired network of a machine, based on its current VirtualMachine. Undefined leaves the network unchanged. */
  connect(
    scope: NetworkScope,
    machine: MachineNetwork,
    current: Frozen<VmNetwork> | undefined,
  ): Promise<VmNetwork | undefined>;
}

export const networkNotReady = 'NotReady';
