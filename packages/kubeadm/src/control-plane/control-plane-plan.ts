import type { NewCondition } from '@slipway/runtime';
import type { EtcdMember } from '../etcd/index.js';
import type { RemediationData } from './remediation-data.js';

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
