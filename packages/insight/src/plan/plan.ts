import type { AssumedHook } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type ChangeRecord, isDeleting } from '@slipway/runtime';
import { type GroupReference, type MachineEvent, machineEvent } from './machine-event.js';
import { changedObjects, type ObjectOutcome } from './object-outcome.js';
import type { MissingReference } from './missing-references.js';
import { blockedOf, type Unsettled, unsettledOf } from './unsettled.js';
import type { WhatIf } from './what-if.js';

/** What a plan can do with a Machine. */
const machineOutcomes = ['create', 'replace', 'update', 'delete'] as const;
export type MachineOutcome = (typeof machineOutcomes)[number];

/** One change of a Machine. Steps are in the order of execution. */
export interface PlanStep {
  readonly verb: 'create' | 'update' | 'delete';
  /** Simulated seconds since the manifest was applied. Negative for changes that were already in progress. */
  readonly afterSeconds: number;
  readonly namespace: string;
  readonly machine: string;
  /** Whether the Machine does not exist yet. If so, only the prefix of its name is certain. */
  readonly isNew: boolean;
  readonly cluster: string;
  readonly group: GroupReference;
  readonly version: string;
  readonly reason: string;
  readonly message: string;
}

/** How the plan changes one Machine. */
export interface PlannedMachine {
  readonly outcome: MachineOutcome;
  readonly namespace: string;
  readonly cluster: string;
  readonly group: GroupReference;
  /** Name of the Machine. Absent for a new Machine. */
  readonly machine?: string;
  readonly version: string;
  /** Kubernetes version of the Machine that replaces this one. */
  readonly newVersion?: string;
  readonly why: string;
}

export interface Plan {
  readonly summary: Readonly<Record<MachineOutcome, number>>;
  /** `namespace/name` of the Clusters that the manifest affects. */
  readonly clusters: readonly string[];
  readonly machines: readonly PlannedMachine[];
  readonly steps: readonly PlanStep[];
  /** Objects other than Machines that are created, changed or deleted. */
  readonly objects: readonly ObjectOutcome[];
  readonly isSettled: boolean;
  readonly unsettled: readonly Unsettled[];
  /** Objects with a failure that only a user can resolve. */
  readonly blocked: readonly Unsettled[];
  readonly simulatedSeconds: number;
  /** Hooks of runtime extensions that the plan did not call. The plan assumes that they succeed and do not block. */
  readonly assumedHooks: readonly AssumedHook[];
  /** References to objects that do not exist. */
  readonly missing: readonly MissingReference[];
}

/** The plan of a manifest that changes nothing. */
export const emptyPlan: Plan = {
  summary: { create: 0, replace: 0, update: 0, delete: 0 },
  clusters: [],
  machines: [],
  steps: [],
  objects: [],
  isSettled: true,
  unsettled: [],
  blocked: [],
  simulatedSeconds: 0,
  assumedHooks: [],
  missing: [],
};

interface TimedEvent extends MachineEvent {
  readonly atMs: number;
  readonly reason: string;
  readonly message: string;
}

/** Summarizes the simulated changes as a plan. */
export function planOf(run: WhatIf, missing: readonly MissingReference[] = []): Plan {
  const events = explained(run);
  const created = new Set(events.filter(({ verb }) => verb === 'create').map(keyOf));
  const steps = events
    .filter((each) => each.verb !== 'gone')
    .filter((each) => each.verb !== 'update' || !created.has(keyOf(each)));
  const machines = plannedMachinesOf(steps, created);
  const unsettled = unsettledOf(run.objects);
  return {
    summary: countOf(machines),
    clusters: clustersIn(run.objects),
    machines,
    steps: steps.map((event) => stepOf(event, created.has(keyOf(event)))),
    objects: changedObjects(run.events),
    isSettled: run.settled.outcome === 'settled' && unsettled.length === 0,
    unsettled,
    blocked: blockedOf(run.objects),
    simulatedSeconds: Math.round(run.settled.simulatedMs / 1_000),
    assumedHooks: run.assumedHooks,
    missing,
  };
}

function clustersIn(objects: readonly Frozen<KubeObject>[]): string[] {
  const found = objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata);
  return found.map(({ namespace = '', name = '' }) => `${namespace}/${name}`).sort();
}

/** Returns the planned Machines whose outcome the user forbids. */
export function forbiddenBy(plan: Plan, forbidden: ReadonlySet<MachineOutcome>): readonly PlannedMachine[] {
  return plan.machines.filter(({ outcome }) => forbidden.has(outcome));
}

function explained(run: WhatIf): TimedEvent[] {
  const causes = new MachineCauses(run.changes);
  const deletingGroups = new Set<string>();
  const found: TimedEvent[] = [];
  for (const { atMs, resource, before, after } of run.events) {
    if (after !== undefined && isDeleting(after)) deletingGroups.add(nameOfGroup(after));
    if (resource !== 'cluster.x-k8s.io/machines') continue;
    const event = machineEvent(before, after);
    if (event !== undefined) found.push({ ...event, atMs, ...whyOf(event, causes, deletingGroups) });
  }
  return found;
}

function nameOfGroup({ kind, metadata }: Frozen<KubeObject>): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

interface Why {
  readonly reason: string;
  readonly message: string;
}

/** The reasons that the controllers gave for creating and deleting Machines. */
class MachineCauses {
  readonly #created = new Map<string, Why>();
  readonly #deleted = new Map<string, Why>();

  constructor(changes: readonly ChangeRecord[]) {
    for (const { object, verb, reason, message, result, cluster } of changes) {
      if (result !== 'ok' || cluster !== undefined) continue;
      const key = keyOfObject(object.kind, object.namespace, object.name);
      // The first apply of an object creates it. Later ones update it in place.
      if ((verb === 'create' || verb === 'apply') && !this.#created.has(key))
        this.#created.set(key, { reason, message });
      if (verb === 'delete' && !this.#deleted.has(key)) this.#deleted.set(key, { reason, message });
    }
  }

  of({ verb, namespace, name, set }: MachineEvent): Why {
    const machine = keyOfObject('Machine', namespace, name);
    if (verb !== 'create') return this.#deleted.get(machine) ?? { reason: 'Deleted', message: '' };
    // A new Machine of a MachineSet that was created in the simulation has the reason of the MachineSet: the difference from the
    // previous MachineSet.
    const ofSet = this.#created.get(keyOfObject('MachineSet', namespace, set ?? ''));
    return ofSet ?? this.#created.get(machine) ?? { reason: 'Created', message: '' };
  }
}

function keyOfObject(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

function whyOf(event: MachineEvent, causes: MachineCauses, deletingGroups: ReadonlySet<string>): Why {
  const { verb, group, namespace } = event;
  if (verb === 'update') return { reason: 'PropagatedInPlace', message: event.differences.join('; ') };
  if (verb === 'create') return causes.of(event);
  if (event.outdated !== '') return { reason: 'NotUpToDate', message: oneLine(event.outdated) };
  if (deletingGroups.has(`${group.kind} ${namespace}/${group.name}`))
    return { reason: 'OwnerDeleted', message: `${group.kind} ${group.name} is being deleted` };
  return causes.of(event);
}

/** Joins the lines of a condition message, which is a list with one item per line. */
function oneLine(message: string): string {
  return message
    .split('\n')
    .map((line) => line.replace(/^\s*\* /, ''))
    .join('; ');
}

function stepOf(event: TimedEvent, isNew: boolean): PlanStep {
  const { verb, atMs, namespace, name, cluster, group, version, reason, message } = event;
  const afterSeconds = Number.isFinite(atMs) ? Math.round(atMs / 1_000) : -1;
  const common = { namespace, machine: name, isNew, cluster, group, version, reason, message };
  return { verb: verb === 'gone' ? 'delete' : verb, afterSeconds, ...common };
}

/** Returns the outcome of each Machine. Within a group, the first created Machine replaces the first deleted one, and so on. */
function plannedMachinesOf(events: readonly TimedEvent[], created: ReadonlySet<string>): PlannedMachine[] {
  const machines: PlannedMachine[] = [];
  for (const group of byGroup(events).values()) {
    const deleted = new Set(group.filter(({ verb }) => verb === 'delete').map(keyOf));
    // Machines that are both created and deleted within the plan appear only as steps.
    const coming = group.filter((event) => event.verb === 'create' && !deleted.has(keyOf(event)));
    for (const event of group) {
      if (created.has(keyOf(event))) continue;
      if (event.verb === 'delete') machines.push(plannedDeletion(event, coming.shift()));
      else if (event.verb === 'update' && !deleted.has(keyOf(event))) addUpdate(machines, event);
    }
    for (const event of coming)
      machines.push({ outcome: 'create', ...placeOf(event), version: event.version, why: whyText(event) });
  }
  return machines;
}

function byGroup(events: readonly TimedEvent[]): Map<string, TimedEvent[]> {
  const groups = new Map<string, TimedEvent[]>();
  for (const event of events) {
    const key = `${event.namespace} ${event.group.kind} ${event.group.name}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return groups;
}

function plannedDeletion(event: TimedEvent, successor: TimedEvent | undefined): PlannedMachine {
  const common = { ...placeOf(event), machine: event.name, version: event.version };
  if (successor === undefined) return { outcome: 'delete', ...common, why: whyText(event) };
  const why = event.reason === 'NotUpToDate' || successor.message === '' ? whyText(event) : whyText(successor);
  return { outcome: 'replace', ...common, newVersion: successor.version, why };
}

/** Adds an in-place update. A Machine that is updated several times is listed once. */
function addUpdate(machines: PlannedMachine[], event: TimedEvent): void {
  const index = machines.findIndex(
    (machine) =>
      machine.outcome === 'update' && machine.machine === event.name && machine.namespace === event.namespace,
  );
  const earlier = machines[index];
  const why = earlier === undefined ? whyText(event) : `${earlier.why}; ${whyText(event)}`;
  const machine: PlannedMachine = {
    outcome: 'update',
    ...placeOf(event),
    machine: event.name,
    version: event.version,
    why,
  };
  if (earlier === undefined) machines.push(machine);
  else machines[index] = machine;
}

function placeOf({ namespace, cluster, group }: MachineEvent): Pick<PlannedMachine, 'namespace' | 'cluster' | 'group'> {
  return { namespace, cluster, group };
}

function whyText({ reason, message }: Why): string {
  return message === '' ? reason : message;
}

function keyOf({ namespace, name }: MachineEvent): string {
  return `${namespace}/${name}`;
}

function countOf(machines: readonly PlannedMachine[]): Plan['summary'] {
  const summary = { create: 0, replace: 0, update: 0, delete: 0 };
  for (const { outcome } of machines) summary[outcome] += 1;
  return summary;
}
