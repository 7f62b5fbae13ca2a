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

/** Who connects the machines of a Supervisor, and what that asks of the objects that are made for them. */
export interface NetworkProvider {
  readonly hasLoadBalancer: boolean;
  /** Whether VM Operator may look if machines answer: some load balancers do that themselves. */
  readonly supportsReadinessProbe: boolean;
  /** Makes the network of the cluster where it needs one of its own. Throws while there is none that can be used. */
  ensureNetwork(scope: NetworkScope): Promise<void>;
  /** Tells the load balancer which network it serves. */
  serviceAnnotations(scope: NetworkScope): Promise<Readonly<Record<string, string>>>;
  /** How a machine is connected, given how its VirtualMachine is now; undefined: not our business. */
  connect(
    scope: NetworkScope,
    machine: MachineNetwork,
    current: Frozen<VmNetwork> | undefined,
  ): Promise<VmNetwork | undefined>;
}

export const networkNotReady = 'NotReady';
