import type { V1beta1State } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import type { Cause, NewCondition, Outcome } from '@slipway/runtime';

/** A condition as a provider reports it. The kit adds the transition time and the generation. */
export type ReportedCondition = Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'> & {
  /** The deprecated v1beta1 condition, if it differs. Only `mirror` reads it. */
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
  /**
   * The condition that reports whether the machine or cluster exists. Missing prerequisites and failures are reported on it too.
   */
  readonly provisioned: string;
  /** The condition types that Ready summarizes, by importance. If empty, the provider sets Ready itself. */
  readonly ready: readonly string[];
  /** Types of `ready` that the summary ignores while they are missing. */
  readonly optional?: readonly string[];
  /** Types of `ready` that another controller writes. They are optional, and this controller never changes them. */
  readonly foreign?: readonly string[];
  /** Further condition types that the provider writes. */
  readonly others?: readonly string[];
}

interface Progress<T extends KubeObject> {
  /** The conditions to set. Types that are omitted keep their value. */
  readonly conditions: readonly ReportedCondition[];
  /** Writes further fields of spec and status to the draft. Called before conditions are set. */
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  /** The reason for the write. Defaults to the first condition that is not True. */
  readonly cause?: Cause;
  readonly outcome: Outcome;
}

/** The reported fields of a provisioned machine. A machine stays provisioned once it has been. */
export interface ProvisionedMachine {
  readonly providerID: string;
  readonly addresses: readonly MachineAddress[];
  readonly failureDomain?: string;
}

export interface MachineProgress<M extends KubeObject> extends Progress<M> {
  readonly machine?: ProvisionedMachine;
}

export interface ClusterProgress<C extends KubeObject> extends Progress<C> {
  /** The control plane endpoint. It never changes once set, because certificates and kubeconfigs contain it. */
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly isProvisioned: boolean;
  readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
}

/** What a deletion waits for. */
export interface RemovalProgress<T extends KubeObject> {
  readonly reason: string;
  readonly message: string;
  /** Replaces the default conditions: Deleting=True and Ready=False with the reason and message above. */
  readonly conditions?: readonly ReportedCondition[];
  readonly apply?: (draft: Thawed<Frozen<T>>) => void;
  readonly outcome: Outcome;
}
