import type { Frozen, OwnerReference } from '@slipway/kube';
import type { MachineDeployment, MachineSet } from '../api/index.js';

export type ObservedDeployment = Frozen<MachineDeployment>;
export type ObservedMachineSet = Frozen<MachineSet>;

/** Why a MachineSet is made. */
export type CreateReason = 'NoMachineSet' | 'TemplateChanged' | 'RolloutAfterPassed';

/** Why the replicas of a MachineSet change. */
export type ScaleReason =
  | 'RolloutSurge'
  | 'ScaledUp'
  | 'ScaledDown'
  | 'ReplacingUnavailable'
  | 'ReplacedByNew'
  | 'UnblockingRollout'
  | 'MachinesDeletedByUser'
  | 'ScaledWhilePaused';

export interface ScaleStep {
  readonly from: number;
  readonly to: number;
  readonly reason: ScaleReason;
  readonly message: string;
}

/** The whole of what a MachineDeployment says about one of its MachineSets: what is not in it is taken away again. */
export interface MachineSetIntent {
  readonly apiVersion: MachineSet['apiVersion'];
  readonly kind: MachineSet['kind'];
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    /** Given for a set that exists, so that nothing is made anew under its name. */
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly Readonly<OwnerReference>[];
    /** From the start, so that nothing leaks when the set is deleted before it was ever looked at. */
    readonly finalizers: readonly string[];
  };
  readonly spec: Frozen<MachineSet['spec']> & { readonly replicas: number };
}

export type RolloutChange =
  | {
      readonly verb: 'create';
      readonly machineSet: MachineSetIntent;
      readonly reason: CreateReason;
      readonly message: string;
      /** The replicas it starts with, and why. */
      readonly scale?: ScaleStep;
    }
  | {
      readonly verb: 'apply';
      readonly machineSet: MachineSetIntent;
      readonly reason: ScaleReason | 'PropagatedInPlace';
      readonly message: string;
      readonly scale?: ScaleStep;
    }
  | {
      readonly verb: 'delete';
      readonly name: string;
      readonly uid: string | undefined;
      readonly reason: 'RolloutComplete';
      readonly message: string;
    }
  | {
      readonly verb: 'annotate';
      /** The revision that the MachineDeployment itself shows. */
      readonly revision: string;
      readonly reason: 'RevisionChanged';
      readonly message: string;
    };

export interface RolloutPlan {
  /** In the order in which they are applied. */
  readonly changes: readonly RolloutChange[];
  /** Sets that have all of what is intended. Whether something is to be taken away from them only who applied it knows. */
  readonly unchanged: readonly MachineSetIntent[];
  /** Name of the MachineSet that has, or gets, the wanted template. */
  readonly newMachineSet: string | undefined;
  /** Names of all others, oldest first. */
  readonly oldMachineSets: readonly string[];
  readonly revision: string | undefined;
  /** Until `rollout.after` passes and the plan has to be made again. */
  readonly requeueAfterMs: number | undefined;
}

/** The rollout cannot be planned; the message says what the user can do. */
export class RolloutPlanError extends Error {
  readonly reason: 'ReplicasNotSet' | 'TemplatesMissing' | 'IdentifierMissing';

  constructor(reason: RolloutPlanError['reason'], message: string) {
    super(message);
    this.name = 'RolloutPlanError';
    this.reason = reason;
  }
}
