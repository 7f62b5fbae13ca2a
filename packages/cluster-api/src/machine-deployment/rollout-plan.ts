import { type Frozen, type OwnerReference, scaleIntOrPercent } from '@slipway/kube';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import { countsAs, isDeleting, type ObservedMachine } from '../machines/index.js';

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

/** One step of a rollout, as its transcript shows it. `rolloutChange` maps it to the write. */
export type RolloutStep =
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
  readonly steps: readonly RolloutStep[];
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

export type RolloutStrategy = 'RollingUpdate' | 'OnDelete';

export interface RolloutLimits {
  readonly replicas: number;
  /** How many machines may exist beyond the wanted ones. */
  readonly maxSurge: number;
  /** How many of the wanted machines may be missing. */
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
  const wanted = scaleIntOrPercent(rollingUpdate.maxUnavailable ?? maxUnavailableDefault, replicas, 'down');
  // Percentages of few replicas can both come out as zero, and then nothing could ever be replaced.
  const unavailable = maxSurge === 0 && wanted === 0 ? 1 : wanted;
  const maxUnavailable = Math.min(unavailable, replicas);
  return { replicas, maxSurge, maxUnavailable, minAvailable: replicas - maxUnavailable };
}

/** How `maxUnavailable` is told to the user: as it was written. */
export function maxUnavailableText(deployment: ObservedDeployment): string {
  return String(deployment.spec.rollout?.strategy?.rollingUpdate?.maxUnavailable ?? maxUnavailableDefault);
}

/** The numbers of a MachineSet that scaling is decided by. */
export interface SetCounts {
  readonly name: string;
  /** What is asked of the set. */
  readonly wanted: number;
  /** How many machines it has, those in deletion included. */
  readonly existing: number;
  readonly available: number;
}

export function countsOf(set: ObservedMachineSet): SetCounts {
  return {
    name: set.metadata.name ?? '',
    wanted: set.spec.replicas ?? 0,
    existing: set.status?.replicas ?? 0,
    available: set.status?.availableReplicas ?? 0,
  };
}

/** Status lags behind machines and the other way round; of the two the one counts that allows less. */
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
 * How many machines there are or may soon be: a set that grows has more than it shows, one that shrinks has not yet lost
 * what it no longer wants.
 */
export function machinesAtMost(sets: readonly SetCounts[]): number {
  return sumOf(sets, ({ wanted, existing }) => Math.max(wanted, existing));
}

/** The scaling of one plan while it is being made: each set has at most one step. */
export class ScaleDraft {
  readonly #steps = new Map<string, ScaleStep>();

  /** What the set will be asked for. */
  wantedOf(set: SetCounts): number {
    return this.#steps.get(set.name)?.to ?? set.wanted;
  }

  scale(set: SetCounts, to: number, reason: ScaleReason, message: string): void {
    const earlier = this.#steps.get(set.name);
    // The first cause of a step is the one worth telling; later ones only lengthen it.
    this.#steps.set(set.name, {
      from: set.wanted,
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
