import { isDeleting, type ObservedMachine } from '@slipway/cluster-api';
import { formatTime, type Frozen, type KubeObject, parseTime } from '@slipway/kube';
import { isConditionTrue, type NewCondition, ReconcileError } from '@slipway/runtime';
import { controlPlaneMachineConditions, type KubeadmConfig } from '../api/index.js';
import type { EtcdMember, EtcdState } from '../etcd/index.js';
import type { ObservedControlPlane } from '../workload/index.js';

export type { ObservedControlPlane };
export type ObservedKubeadmConfig = Frozen<KubeadmConfig>;

/** The fields of a Cluster that this package reads. The full type is too deep for the compiler. */
export interface ClusterView {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly topology?: { readonly version?: string };
  };
  readonly status?: {
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
  };
}

/** A control plane machine with its infrastructure object and its KubeadmConfig. */
export interface MachineView {
  readonly machine: ObservedMachine;
  readonly config: ObservedKubeadmConfig | undefined;
  readonly infrastructure: Frozen<KubeObject> | undefined;
  /** The reasons to replace the machine, one sentence each. Empty if it is up to date. */
  readonly outdated: readonly string[];
  /** The Node with the provider ID of the machine, for machines without a nodeRef. */
  readonly nodeName?: string;
}

/** The observed state that decisions are based on. */
export interface ControlPlaneView {
  readonly controlPlane: ObservedControlPlane;
  readonly cluster: ClusterView;
  /** Sorted by age, oldest first. */
  readonly machines: readonly MachineView[];
  /** Undefined while etcd cannot be reached, and always for an external etcd. */
  readonly etcd: EtcdState | undefined;
  /** Names of the unreachable Nodes of the control plane. */
  readonly silentNodes: ReadonlySet<string>;
  readonly nowMs: number;
}

export function isEtcdManaged(controlPlane: ObservedControlPlane): boolean {
  return controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external === undefined;
}

export function isInitialized(controlPlane: ObservedControlPlane): boolean {
  return controlPlane.status?.initialization?.controlPlaneInitialized === true;
}

export function desiredReplicas(controlPlane: ObservedControlPlane): number {
  return controlPlane.spec.replicas ?? 1;
}

export function hasEndpoint(cluster: ClusterView): boolean {
  const { host = '', port = 0 } = cluster.spec?.controlPlaneEndpoint ?? {};
  return host !== '' && port !== 0;
}

export function isProvisioned(cluster: ClusterView): boolean {
  return cluster.status?.initialization?.infrastructureProvisioned === true;
}

export function nodeOf(machine: ObservedMachine): string | undefined {
  return machine.status?.nodeRef?.name;
}

/** Returns the condition types that are True if all control plane components of a machine are healthy. */
export function componentConditions(etcdManaged: boolean): readonly string[] {
  const { apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy } = controlPlaneMachineConditions;
  const { etcdPodHealthy, etcdMemberHealthy } = controlPlaneMachineConditions;
  const components = [apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy];
  return etcdManaged ? [...components, etcdPodHealthy, etcdMemberHealthy] : components;
}

/**
 * Whether all components of a machine are healthy. They fail together: the API server uses the etcd on its machine, and the other
 * components use that API server.
 */
export function hasHealthyComponents(machine: ObservedMachine, etcdManaged: boolean): boolean {
  const { etcdMemberHealthy } = controlPlaneMachineConditions;
  return componentConditions(etcdManaged)
    .filter((type) => type !== etcdMemberHealthy)
    .every((type) => isConditionTrue(machine, type));
}

export function hasHealthyMember(machine: ObservedMachine): boolean {
  return isConditionTrue(machine, controlPlaneMachineConditions.etcdMemberHealthy);
}

export function deletingMachines(view: ControlPlaneView): MachineView[] {
  return view.machines.filter(({ machine }) => isDeleting(machine));
}

/** Returns the outdated machines, without deleting ones, which are replaced anyway. */
export function machinesToRollOut(view: ControlPlaneView): MachineView[] {
  return view.machines.filter(({ machine, outdated }) => outdated.length > 0 && !isDeleting(machine));
}

/** Describes that etcd leadership must move to another member before the machine of the leader is deleted. */
export interface LeadershipMove {
  readonly from: string;
  /** Names of candidate members, the most reliable first. */
  readonly candidates: readonly string[];
}

export type WaitReason =
  | 'WaitingForMachineDeletion'
  | 'WaitingForPreTerminateHook'
  | 'WaitingForControlPlaneHealth'
  | 'WaitingForCertificates'
  | 'WaitingForTopologyVersion'
  | 'WaitingForInPlaceUpdate'
  | 'EtcdQuorumAtRisk'
  | 'EtcdLeaderUnknown'
  | 'EtcdUnknown';

/** The structural change to make now, or why there is none. Each has a reason and a message for users. */
export type ControlPlaneDecision =
  | {
      readonly type: 'createFirst';
      readonly failureDomain: string | undefined;
      readonly reason: 'Initializing';
      readonly message: string;
    }
  | {
      readonly type: 'create';
      readonly failureDomain: string | undefined;
      readonly reason: 'ScalingUp' | 'RollingOut';
      readonly message: string;
    }
  | {
      readonly type: 'delete';
      readonly machine: string;
      readonly reason: 'ScalingDown' | 'RollingOut';
      readonly message: string;
      readonly leadership: LeadershipMove | undefined;
    }
  | {
      readonly type: 'remediate';
      readonly machine: string;
      readonly reason: 'Remediating';
      readonly message: string;
      readonly leadership: LeadershipMove | undefined;
      readonly data: RemediationData;
    }
  | {
      /** The machine is drained: remove its etcd member, then unblock its deletion. */
      readonly type: 'release';
      readonly machine: string;
      readonly reason: 'PreTerminate';
      readonly message: string;
      readonly leadership: LeadershipMove | undefined;
      readonly member: EtcdMember | undefined;
    }
  | {
      readonly type: 'removeMember';
      readonly member: EtcdMember;
      readonly reason: 'UnexpectedMember';
      readonly message: string;
    }
  | { readonly type: 'wait'; readonly ms?: number; readonly reason: WaitReason; readonly message: string }
  /** All machines exist and are up to date. */
  | { readonly type: 'maintain' };

/** The reasons that block the creation or deletion of a machine, as reported in conditions. */
export interface PreflightFindings {
  readonly topologyVersion?: string;
  readonly deletingMachine?: boolean;
  readonly certificatesMissing?: boolean;
  readonly componentsUnhealthy?: boolean;
  readonly etcdUnhealthy?: boolean;
}

/** The OwnerRemediated condition to set on a machine. Undefined removes it. */
export interface RemediationNote {
  readonly machine: string;
  readonly condition: NewCondition | undefined;
}

export interface ControlPlanePlan {
  readonly decision: ControlPlaneDecision;
  readonly preflight: PreflightFindings;
  readonly notes: readonly RemediationNote[];
  /** Whether to remove the remediation annotation, because the replacement already exists. */
  readonly dropRemediationInProgress: boolean;
  /** A message to record as a warning event, in addition to the conditions. */
  readonly warning?: string;
}

/** The record of a remediation: on the control plane while it is in progress, then on the replacement machine. */
export interface RemediationData {
  readonly machine: string;
  /** Undefined if the annotation has no timestamp. */
  readonly atMs: number | undefined;
  readonly retryCount: number;
}

export function formatRemediationData({ machine, atMs, retryCount }: RemediationData): string {
  return JSON.stringify({ machine, timestamp: atMs === undefined ? null : formatTime(atMs), retryCount });
}

/** Parses the remediation annotation. Throws an error that names `owner` if the value is invalid. */
export function parseRemediationData(text: string, owner: string): RemediationData {
  try {
    const { machine, timestamp, retryCount } = JSON.parse(text) as Record<string, unknown>;
    return {
      machine: typeof machine === 'string' ? machine : '',
      atMs: typeof timestamp === 'string' ? parseTime(timestamp) : undefined,
      retryCount: typeof retryCount === 'number' ? retryCount : 0,
    };
  } catch (cause) {
    throw new ReconcileError('InvalidRemediationData', `failed to read the remediation data of ${owner}`, {
      retry: 'onChange',
      remedy: 'remove the annotation, or restore it as JSON with machine, timestamp and retryCount',
      cause,
    });
  }
}
