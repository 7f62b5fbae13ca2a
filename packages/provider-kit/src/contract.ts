import type { V1beta1State } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import type { Cause, NewCondition, Outcome } from '@slipway/runtime';

/** A condition as reported by a provider. The kit adds time and generation. */
export type ReportedCondition = Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'> & {
  /** The deprecated v1beta1 condition, where it differs. Only `mirror` reads it. */
  readonly v1beta1?: Partial<Pick<V1beta1State, 'reason' | 'severity' | 'message'>>;
};

export interface MachineAddress {
  readonly type: 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS';
  readonly address: string;
}

/** The fields of an infrastructure machine in the Cluster API contract, as the kit writes them. */
export type InfrastructureMachine = KubeObject & {
  spec?: { providerID?: string };
  status?: {
    initialization?: { provisioned?: boolean };
    addresses?: { type: MachineAddress['type']; address: string }[];
    failureDomain?: string;
  };
};

/** The fields of an infrastructure cluster in the Cluster API contract, as the kit writes them. */
export type InfrastructureCluster = KubeObject & {
  spec?: { controlPlaneEndpoint?: { host?: string; port?: number } };
  status?: {
    initialization?: { provisioned?: boolean };
    failureDomains?: { name: string; controlPlane?: boolean }[];
  };
};

/** The condition types of a kind. */
export interface ReportedTypes {
  /** Reports whether the machine or cluster exists. Prerequisites and failures are reported on it. */
  readonly provisioned: string;
  /** The condition types that Ready summarizes, by importance. If empty, the provider sets Ready itself. */
  readonly ready: readonly string[];
  /** Types of `ready` that the summary ignores while they are missing. */
  readonly optional?: readonly string[];
  /** Types of `ready` that another controller writes: optional, and never owned by this one. */
  readonly foreign?: readonly string[];
  /** Further condition types that the provider writes. */
  readonly others?: readonly string[];
}

interface Progress<T extends KubeObject> {
  /** Omitted types keep their value. */
  readonly conditions: readonly ReportedCondition[];
  /** Writes further fields of spec and status. Called on the draft before conditions are set. */
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  /** Why the object is written. Defaults to the first condition that is not True. */
  readonly cause?: Cause;
  readonly outcome: Outcome;
}

/** The facts about a provisioned machine. A machine that was provisioned once stays provisioned. */
export interface ProvisionedMachine {
  readonly providerID: string;
  readonly addresses: readonly MachineAddress[];
  readonly failureDomain?: string;
}

export interface MachineProgress<M extends KubeObject> extends Progress<M> {
  readonly machine?: ProvisionedMachine;
}

export interface ClusterProgress<C extends KubeObject> extends Progress<C> {
  /** Never changes once set: certificates and kubeconfigs contain it. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly isProvisioned: boolean;
  readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
}

/** What a deletion waits for. */
export interface RemovalProgress<T extends KubeObject> {
  readonly reason: string;
  readonly message: string;
  /** Overrides the default: Deleting=True and Ready=False with the reason and message above. */
  readonly conditions?: readonly ReportedCondition[];
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  readonly outcome: Outcome;
}
