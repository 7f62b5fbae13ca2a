import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import type { Cause, NewCondition, Outcome, V1beta1State } from '@slipway/runtime';

/** A condition as a provider reports it; the kit adds times and generations. */
export type ReportedCondition = Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'> & {
  /** What the deprecated v1beta1 condition says where it differs. Only `mirror` reads it. */
  readonly v1beta1?: Partial<Pick<V1beta1State, 'reason' | 'severity' | 'message'>>;
};

export interface MachineAddress {
  readonly type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS';
  readonly address: string;
}

/** What the Cluster API contract asks of an infrastructure machine, as the kit writes it. */
export type InfrastructureMachine = KubeObject & {
  spec?: { providerID?: string };
  status?: {
    initialization?: { provisioned?: boolean };
    addresses?: { type: MachineAddress['type']; address: string }[];
    failureDomain?: string;
  };
};

/** What the Cluster API contract asks of an infrastructure cluster, as the kit writes it. */
export type InfrastructureCluster = KubeObject & {
  spec?: { controlPlaneEndpoint?: { host?: string; port?: number } };
  status?: {
    initialization?: { provisioned?: boolean };
    failureDomains?: { name: string; controlPlane?: boolean }[];
  };
};

/** The conditions of a kind. */
export interface ReportedTypes {
  /** Says whether the machine or cluster exists. Prerequisites and failures are reported on it. */
  readonly provisioned: string;
  /** The conditions that Ready summarises, in the order of their importance. Without any, the provider sets Ready itself. */
  readonly ready: readonly string[];
  /** Types of `ready` that the summary leaves out while they are missing. */
  readonly optional?: readonly string[];
  /** Types of `ready` that another controller writes: optional, and never owned by this one. */
  readonly foreign?: readonly string[];
  /** Further condition types that the provider writes. */
  readonly others?: readonly string[];
}

interface Progress<T extends KubeObject> {
  /** Types that are left out keep their value. */
  readonly conditions: readonly ReportedCondition[];
  /** Writes further fields of spec and status. Called on the draft before conditions are set. */
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  /** Why the object is written; by default the first condition that does not hold. */
  readonly cause?: Cause;
  readonly outcome: Outcome;
}

/** What is known of a machine once it exists. A machine that was provisioned once stays so. */
export interface ProvisionedMachine {
  readonly providerID: string;
  readonly addresses: readonly MachineAddress[];
  readonly failureDomain?: string;
}

export interface MachineProgress<M extends KubeObject> extends Progress<M> {
  readonly machine?: ProvisionedMachine;
}

export interface ClusterProgress<C extends KubeObject> extends Progress<C> {
  /** Set once, it stays: certificates and kubeconfigs name it. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly isProvisioned: boolean;
  readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
}

/** What a deletion waits for. */
export interface RemovalProgress<T extends KubeObject> {
  readonly reason: string;
  readonly message: string;
  /** Instead of the default: Deleting=True and Ready=False with the reason and message above. */
  readonly conditions?: readonly ReportedCondition[];
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  readonly outcome: Outcome;
}
