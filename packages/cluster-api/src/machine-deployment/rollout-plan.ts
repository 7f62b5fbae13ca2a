import { type Frozen, type OwnerReference, scaleIntOrPercent } from '@slipway/kube';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import { countsAs, isDeleting, type ObservedMachine } from '../machines/index.js';

export type ObservedDeployment = Frozen<MachineDeployment>;
export type ObservedMachineSet = Frozen<MachineSet>;

/** Why a MachineSet is created. */
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

/**
 * All fields that a MachineDeployment applies to one MachineSet. Fields that are missing here are removed from the MachineSet.
 */
export interface MachineSetIntent {
  readonly apiVersion: MachineSet['apiVersion'];
  readonly kind: MachineSet['kind'];
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    /** The uid of an existing object. Prevents an apply from creating a new object of the same name. */
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly Readonly<OwnerReference>[];
    /** Set at creation, so that nothing leaks if the object is deleted before its first reconcile. */
    readonly finalizers: readonly string[];
  };
  readonly spec: Frozen<MachineSet['spec']> & { readonly replicas: number };
}

/** One step of a rollout, as printed in rollout transcripts. `rolloutChange` maps it to a write. */
export type RolloutStep =
  | {
      readonly verb: 'create';
      readonly machineSet: MachineSetIntent;
      readonly reason: CreateReason;
      readonly message: string;
      /** The initial replicas and their reason. */
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
      /** Value of the revision annotation of the MachineDeployment. */
      readonly revision: string;
      readonly reason: 'RevisionChanged';
      readonly message: string;
    };

export interface RolloutPlan {
  /** In the order in which they are applied. */
  readonly steps: readonly RolloutStep[];
  /**
   * Intents of MachineSets that already contain all fields. An apply is needed only if the last applied intent had more fields.
   */
  readonly unchanged: readonly MachineSetIntent[];
  /** Name of the MachineSet that has, or gets, the current template. */
  readonly newMachineSet: string | undefined;
  /** Names of all other MachineSets, oldest first. */
  readonly oldMachineSets: readonly string[];
  readonly revision: string | undefined;
  /** Time until `rollout.after` passes and a new plan is needed, in milliseconds. */
  readonly requeueAfterMs: number | undefined;
}

/** Reports that the rollout cannot be planned. The message describes the remedy. */
export class RolloutPlanError extends Error {
  readonly reason: 'ReplicasNotSet' | 'TemplatesMissing' | 'IdentifierMissing';

  constructor(reason: RolloutPlanError['reason'], message: string) {
    super(message);
    this.name = 'RolloutPlanError';
    this.reason = reason;
  }
}

export type RolloutStrategy = 'RollingUpdate' | 'OnDelete';

export interface RolloutLimits {
  readonly replicas: number;
  /** Number of machines that may exist above spec.replicas. */
  readonly maxSurge: number;
  /** Number of machines that may be unavailable, out of spec.replicas. */
  readonly maxUnavailable: number;
  readonly minAvailable: number;
}

const maxSurgeDefault = 1;
const maxUnavailableDefault = 0;

export function strategyOf(deployment: ObservedDeployment): RolloutStrategy {
  return deployment.spec.rollout?.strategy?.type ?? 'RollingUpdate';
}

export function rolloutLimits(deployment: ObservedDeployment): RolloutLimits {
  const replicas = deployment.spec.replicas ?? 0;
  if (strategyOf(deployment) === 'OnDelete')
    return { replicas, maxSurge: 0, maxUnavailable: 0, minAvailable: replicas };
  const rollingUpdate = deployment.spec.rollout?.strategy?.rollingUpdate ?? {};
  const maxSurge = scaleIntOrPercent(rollingUpdate.maxSurge ?? maxSurgeDefault, replicas, 'up');
  const desired = scaleIntOrPercent(rollingUpdate.maxUnavailable ?? maxUnavailableDefault, replicas, 'down');
  // With few replicas both percentages can round to zero, and no machine could ever be replaced. Allow one unavailable machine.
  const unavailable = maxSurge === 0 && desired === 0 ? 1 : desired;
  const maxUnavailable = Math.min(unavailable, replicas);
  return { replicas, maxSurge, maxUnavailable, minAvailable: replicas - maxUnavailable };
}

/** Returns `maxUnavailable` as the user wrote it. */
export function maxUnavailableText(deployment: ObservedDeployment): string {
  return String(deployment.spec.rollout?.strategy?.rollingUpdate?.maxUnavailable ?? maxUnavailableDefault);
}

/** The numbers of a MachineSet that scaling decisions are based on. */
export interface SetCounts {
  readonly name: string;
  /** Desired replicas of the MachineSet. */
  readonly desired: number;
  /** Number of existing machines, including deleting ones. */
  readonly existing: number;
  readonly available: number;
}

export function countsOf(set: ObservedMachineSet): SetCounts {
  return {
    name: set.metadata.name ?? '',
    desired: set.spec.replicas ?? 0,
    existing: set.status?.replicas ?? 0,
    available: set.status?.availableReplicas ?? 0,
  };
}

/** Returns the counts of a MachineSet. The status and the machine list may be stale, so the more restrictive value is used. */
export function safeCountsOf(set: ObservedMachineSet, machines: readonly ObservedMachine[]): SetCounts {
  const own = machines.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === set.metadata.uid),
  );
  const counts = countsOf(set);
  const available = own.filter((machine) => countsAs(machine, 'Available') && !isDeleting(machine)).length;
  return {
    ...counts,
    existing: Math.max(counts.existing, own.length),
    available: Math.min(counts.available, available),
  };
}

export function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

/**
 * Returns the number of machines that exist or may exist soon: a growing MachineSet will have more machines, and a shrinking one
 * still has machines to delete.
 */
export function machinesAtMost(sets: readonly SetCounts[]): number {
  return sumOf(sets, ({ desired, existing }) => Math.max(desired, existing));
}

/** Collects the scaling steps of one plan, at most one for each MachineSet. */
export class ScaleDraft {
  readonly #steps = new Map<string, ScaleStep>();

  /** Returns the replicas that the MachineSet will have after the plan. */
  desiredOf(set: SetCounts): number {
    return this.#steps.get(set.name)?.to ?? set.desired;
  }

  scale(set: SetCounts, to: number, reason: ScaleReason, message: string): void {
    const earlier = this.#steps.get(set.name);
    // Keep the first reason of a step, and drop those of later changes.
    this.#steps.set(set.name, {
      from: set.desired,
      to,
      reason: earlier?.reason ?? reason,
      message: earlier?.message ?? message,
    });
  }

  stepOf(name: string): ScaleStep | undefined {
    return this.#steps.get(name);
  }

  get isEmpty(): boolean {
    return this.#steps.size === 0;
  }
}
