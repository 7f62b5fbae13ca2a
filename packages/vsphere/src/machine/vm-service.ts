import type { Machine, ObservedCluster } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import type { NewCondition, Outcome, ReconcileContext, Resource, V1beta1State } from '@slipway/runtime';

export type MachineAddress = {
  address: string;
  type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS';
};

/** What the two kinds named VSphereMachine have in common. */
export type CommonMachine = KubeObject & {
  spec: { providerID?: string };
  status?: {
    addresses?: MachineAddress[];
    initialization?: { provisioned?: boolean };
  };
};

export interface ObservedMachine<M extends CommonMachine> {
  readonly vsphereMachine: Frozen<M>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
}

/** One that goes may outlive its Machine and its Cluster. */
export interface LeavingMachine<M extends CommonMachine> {
  readonly vsphereMachine: Frozen<M>;
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
}

interface VmFacts<M extends CommonMachine> {
  /** Writes down what else is known of the virtual machine. */
  readonly apply?: (draft: Thawed<Frozen<M>>) => void;
}

/** Why the virtual machine cannot do its work yet, in both styles of conditions. */
export interface VmWaiting<M extends CommonMachine = CommonMachine> extends VmFacts<M> {
  readonly type: 'waiting';
  readonly condition: Pick<NewCondition, 'status' | 'reason' | 'message'>;
  readonly old: V1beta1State;
  readonly outcome: Outcome;
}

export interface VmReady<M extends CommonMachine = CommonMachine> extends VmFacts<M> {
  readonly type: 'ready';
  /** As vSphere writes it: `vsphere://` goes before it. */
  readonly biosUuid: string;
  readonly addresses: readonly MachineAddress[];
  /** The ESXi host that it runs on. */
  readonly host?: string;
}

export type VmProgress<M extends CommonMachine> = VmWaiting<M> | VmReady<M>;

/**
 * Who makes virtual machines: a vCenter, or a Supervisor that is asked by objects. One reconciler serves both; each brings
 * the machine one step on and says how far it is.
 */
export interface VmService<M extends CommonMachine> {
  readonly resource: Resource<M>;
  /** In a Supervisor the endpoint may come from the machines, so that they cannot wait for it. */
  readonly waitsForInfrastructure: boolean;
  ensure(observed: ObservedMachine<M>, context: ReconcileContext): Promise<VmProgress<M>>;
  /** Undefined once nothing is left of the virtual machine. */
  remove(leaving: LeavingMachine<M>, context: ReconcileContext): Promise<VmWaiting<M> | undefined>;
}
