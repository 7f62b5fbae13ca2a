import { isDeleting, type ObservedMachine } from '@slipway/cluster-api';
import { formatTime, type Frozen, type KubeObject, parseTime } from '@slipway/kube';
import { isConditionTrue, type NewCondition, ReconcileError } from '@slipway/runtime';
import { controlPlaneMachineConditions, type KubeadmConfig } from '../api/index.js';
import type { EtcdMember, EtcdState } from '../etcd/index.js';
import type { ObservedControlPlane } from '../workload/index.js';

export type { ObservedControlPlane };
export type ObservedKubeadmConfig = Frozen<KubeadmConfig>;

/** What is read of a Cluster here. Narrow, because its whole type is too deep to be passed around. */
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

/** A machine of the control plane with the two objects that were made for it. */
export interface MachineView {
  readonly machine: ObservedMachine;
  readonly config: ObservedKubeadmConfig | undefined;
  readonly infrastructure: Frozen<KubeObject> | undefined;
  /** Why it has to be replaced, one sentence each; empty while it is as the control plane wants it. */
  readonly outdated: readonly string[];
  /** The Node by the machine's provider ID, for machines that have not told their Node yet. */
  readonly nodeName?: string;
}

/** All that decisions about a control plane are made from. */
export interface ControlPlaneView {
  readonly controlPlane: ObservedControlPlane;
  readonly cluster: ClusterView;
  /** Oldest first. */
  readonly machines: readonly MachineView[];
  /** Undefined while nobody could be asked, and always with an external etcd. */
  readonly etcd: EtcdState | undefined;
  /** Nodes of the control plane that nobody hears of. */
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

/** The conditions that a machine reports when all that runs on it for the control plane does. */
export function componentConditions(etcdManaged: boolean): readonly string[] {
  const { apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy } = controlPlaneMachineConditions;
  const { etcdPodHealthy, etcdMemberHealthy } = controlPlaneMachineConditions;
  const components = [apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy];
  return etcdManaged ? [...components, etcdPodHealthy, etcdMemberHealthy] : components;
}

/** An API server talks to the etcd beside it, the others to the API server beside them: they work together or not at all. */
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

/** Machines to replace; those that go anyway are replaced without being asked. */
export function machinesToRollOut(view: ControlPlaneView): MachineView[] {
  return view.machines.filter(({ machine, outdated }) => outdated.length > 0 && !isDeleting(machine));
}

/** The leader of etcd goes with its machine: before that, one of the others has to take over. */
export interface LeadershipMove {
  readonly from: string;
  /** Names of members, the most reliable first. */
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

/** The one structural change that is made now, or why none is. Each has its reason, and a sentence for people. */
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
      /** The machine is drained: its member leaves etcd, then nothing holds its deletion any more. */
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
  /** All machines are there and as wanted. */
  | { readonly type: 'maintain' };

/** What keeps a machine from being made or removed, as the conditions tell it. */
export interface PreflightFindings {
  readonly topologyVersion?: string;
  readonly deletingMachine?: boolean;
  readonly certificatesMissing?: boolean;
  readonly componentsUnhealthy?: boolean;
  readonly etcdUnhealthy?: boolean;
}

/** Said about the remediation of a machine; undefined takes back what was said. */
export interface RemediationNote {
  readonly machine: string;
  readonly condition: NewCondition | undefined;
}

export interface ControlPlanePlan {
  readonly decision: ControlPlaneDecision;
  readonly preflight: PreflightFindings;
  readonly notes: readonly RemediationNote[];
  /** The replacement exists already, the annotation merely outlived it. */
  readonly dropRemediationInProgress: boolean;
  /** Told as a warning beside the conditions. */
  readonly warning?: string;
}

/** What is noted of a remediation: on the control plane while it lasts, then on the machine that replaced the other. */
export interface RemediationData {
  readonly machine: string;
  /** Undefined where somebody removed it. */
  readonly atMs: number | undefined;
  readonly retryCount: number;
}

export function formatRemediationData({ machine, atMs, retryCount }: RemediationData): string {
  return JSON.stringify({ machine, timestamp: atMs === undefined ? null : formatTime(atMs), retryCount });
}

/** Reads the annotation; `owner` is named when it is not what we wrote. */
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
