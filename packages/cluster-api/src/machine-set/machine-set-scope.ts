import { type Frozen, labelSelectorFromObject } from '@slipway/kube';
import {
  type Cause,
  controllerIndex,
  edit,
  ensureOwnerReference,
  FencedError,
  isDeleting,
  keyOf,
  ownerReference,
  type PatchChange,
  type ReconcileContext,
} from '@slipway/runtime';
import type { preflightChecks } from '../admission/index.js';
import { type Machine, type MachineDeployment, machines as machineResource } from '../api/index.js';
import type { IntentCache } from '../intents/index.js';
import type { MachineTemplates } from '../machine-templates/index.js';
import { isEmptySelector, nameOf, type ObservedMachine, orphanIndex } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ObservedMachineSet } from './replica-planner.js';

/** Name of a preflight check. `All` means every check. */
export type PreflightCheckName = (typeof preflightChecks)[number];

/** Dependencies of all reconciles of the controller. */
export interface MachineSetDependencies {
  readonly intents: IntentCache;
  readonly pace: SetPace;
  /** The checks to run before a machine is created. Empty if the feature gate is disabled. */
  readonly preflightChecks: readonly PreflightCheckName[];
}

/** Why machines could not be created, for the deprecated condition. */
export interface CreationFailure {
  readonly reason:
    | 'BootstrapTemplateCloningFailed'
    | 'InfrastructureTemplateCloningFailed'
    | 'MachineCreationFailed'
    | 'PreflightCheckFailed';
  readonly message: string;
}

/** The state of one reconcile of a MachineSet. */
export interface MachineSetScope {
  readonly context: ReconcileContext;
  readonly dependencies: MachineSetDependencies;
  /** Undefined if the Cluster does not exist. */
  readonly cluster: ObservedCluster | undefined;
  /** The MachineDeployment that controls the set. */
  readonly deployment: Frozen<MachineDeployment> | undefined;
  /** The MachineSet with the changes of this reconcile, written at its end. */
  set: ObservedMachineSet;
  /** Machines of the set, including the effect of this reconcile's changes. */
  machines: readonly ObservedMachine[];
  /** Undefined if the lookup failed. In that case no machine can be created. */
  templates: MachineTemplates | undefined;
  /** Reasons why no machine may be created. Also set if the check itself failed. */
  preflightFailures: readonly string[];
  creationFailure: CreationFailure | undefined;
}

/** Returns a function that decides whether the set selects a machine. */
export function selectorOf(set: ObservedMachineSet): (machine: Pick<ObservedMachine, 'metadata'>) => boolean {
  // An empty selector selects none, instead of every machine without a controller.
  if (isEmptySelector(set.spec.selector)) return () => false;
  const selector = labelSelectorFromObject(set.spec.selector);
  return ({ metadata }) => selector.matches(metadata.labels ?? {});
}

export function recordWarning({ context, set }: MachineSetScope, reason: string, message: string): void {
  context.events.record(set, { type: 'Warning', reason, message });
}

/** Reads the machines that the set controls and selects, including those being deleted. */
export function observeMachines(scope: MachineSetScope): void {
  const { set, context } = scope;
  const source = context.sources.sourceFor(machineResource);
  scope.machines = source.byIndex(controllerIndex, set.metadata.uid ?? '').filter(selectorOf(set));
}

/** Adopts the selected machines that have no controller. Skips those whose adoption fails. */
export async function adoptMachines(scope: MachineSetScope): Promise<void> {
  const { set, context } = scope;
  const orphans = context.sources
    .sourceFor(machineResource)
    .byIndex(orphanIndex, `${set.metadata.namespace ?? ''}/${set.spec.clusterName}`)
    .filter(selectorOf(set));
  for (const machine of orphans) {
    try {
      const adopted = await context.change(adoption(set, machine));
      scope.machines = [...scope.machines, adopted];
    } catch (error) {
      if (error instanceof FencedError) throw error;
      context.logger.error({ Machine: keyOf(machine), err: error }, 'Failed to adopt Machine');
      recordWarning(scope, 'FailedAdopt', `Failed to adopt Machine "${nameOf(machine)}": ${String(error)}`);
    }
  }
}

function adoption(set: ObservedMachineSet, machine: ObservedMachine): PatchChange<Machine> {
  const reference = ownerReference(set, { controller: true });
  return {
    verb: 'patch',
    resource: machineResource,
    before: machine,
    after: edit(machine, ({ metadata }) => ensureOwnerReference(metadata, reference)),
    reason: 'Adopted',
    message: `Adopted Machine "${nameOf(machine)}"`,
    event: { about: set, reason: 'SuccessfulAdopt' },
  };
}

/** Deletes a machine of the set by uid, and updates `scope.machines`. Does nothing if the machine is already being deleted. */
export async function deleteMachine(scope: MachineSetScope, machine: ObservedMachine, cause: Cause): Promise<void> {
  if (isDeleting(machine)) return;
  const { uid } = machine.metadata;
  const left = await scope.context.change({
    verb: 'delete',
    resource: machineResource,
    key: keyOf(machine),
    options: uid === undefined ? {} : { preconditions: { uid } },
    ...cause,
  });
  scope.machines = scope.machines.flatMap((each) => {
    if (each.metadata.uid !== uid) return [each];
    return left === undefined ? [] : [left];
  });
}

export function machineNamed(scope: MachineSetScope, name: string): ObservedMachine | undefined {
  return scope.machines.find(({ metadata }) => metadata.name === name);
}

export function replaceMachine(scope: MachineSetScope, machine: ObservedMachine): void {
  scope.machines = scope.machines.map((each) => (each.metadata.uid === machine.metadata.uid ? machine : each));
}

/** MachineSets with fewer machines are reconciled on every event. */
const largeFrom = 100;
const restMsMax = 1000;

/**
 * Limits how often a large MachineSet is reconciled. A reconcile iterates over all machines, and each machine changes many times
 * while it starts: without a limit, a set of a thousand machines would starve other work.
 */
export class SetPace {
  readonly #lastReconcileMs = new Map<string, number>();

  /**
   * Returns the delay before the set may be reconciled: one millisecond for each machine since the last reconcile, up to a limit.
   * A return value of 0 counts as the start of a reconcile.
   */
  restMs(uid: string, machines: number, nowMs: number): number {
    if (machines < largeFrom) {
      this.#lastReconcileMs.delete(uid);
      return 0;
    }
    const rest = (this.#lastReconcileMs.get(uid) ?? Number.NEGATIVE_INFINITY) + Math.min(machines, restMsMax) - nowMs;
    if (rest > 0) return rest;
    this.#lastReconcileMs.set(uid, nowMs);
    return 0;
  }

  forget(uid: string): void {
    this.#lastReconcileMs.delete(uid);
  }
}
