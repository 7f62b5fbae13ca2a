import type { Frozen, KubeObject } from '@slipway/kube';
import type { Plan, PlannedMachine, PlanStep } from '../../src/index.js';

export interface ChangeOutcome {
  readonly planned: Plan;
  /** What happened, in the form of a plan. */
  readonly happened: Plan;
  /** The names of all objects before the change. */
  readonly names: ReadonlySet<string>;
  /** The names of the Machines before and after the change. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns the differences between a plan and what happened. The random parts of new names are not compared. */
export function differencesBetween({ planned, happened, names, before, after }: ChangeOutcome): string[] {
  const [plan, reality] = [planned, happened].map((made) => new Steps(made, names)) as [Steps, Steps];
  const known = new Set(before);
  const text = (value: string): string => withoutRandomNames(value, names);
  const sorted = (lines: readonly string[]): string[] => lines.map(text).sort();
  const compared: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['machines', sorted(planned.machines.map(machineText)), sorted(happened.machines.map(machineText))],
    ['other objects', sorted(planned.objects.map(objectText)), sorted(happened.objects.map(objectText))],
    // A manifest without changes is not simulated, so its plan does not describe whether the Cluster is settled.
    ...(planned.simulatedSeconds === 0
      ? []
      : [['settled', [String(planned.isSettled)], [String(happened.isSettled)]] as const]),
    // Independent of the steps of reality, which the same code has computed.
    ['remaining machines', plan.remaining(before), after.filter((name) => known.has(name))],
    ['number of machines', [String(plan.countAfter(before.length))], [String(after.length)]],
    ...[...new Set([...plan.groups.keys(), ...reality.groups.keys()])].map(
      (group) => [`steps of ${group}`, plan.linesOf(group), reality.linesOf(group)] as const,
    ),
  ];
  const differences = compared.flatMap(([what, left, right]) =>
    JSON.stringify(left) === JSON.stringify(right)
      ? []
      : [`${what}\n    planned:  ${left.join('\n              ')}\n    happened: ${right.join('\n              ')}`],
  );
  return differences.length > 0 ? differences : orderDifferences(plan, reality);
}

/** Steps of different groups have an order if they are further apart. Controllers work concurrently. */
const concurrentSeconds = 5;

/** The steps of a plan by group. */
class Steps {
  readonly groups = new Map<string, PlanStep[]>();
  readonly #all: readonly PlanStep[];
  readonly #names: ReadonlySet<string>;

  constructor({ steps }: Plan, names: ReadonlySet<string>) {
    this.#all = steps;
    this.#names = names;
    for (const step of steps) {
      const group = withoutRandomNames(`${step.group.kind} ${step.group.name}`, names);
      this.groups.set(group, [...(this.groups.get(group) ?? []), step]);
    }
    for (const [group, own] of this.groups) this.groups.set(group, withSortedUpdates(own));
  }

  linesOf(group: string): readonly string[] {
    return (this.groups.get(group) ?? []).map(({ verb, machine, version, reason, message }) =>
      withoutRandomNames(`${verb} ${machine} ${version} ${reason}: ${message}`, this.#names),
    );
  }

  remaining(before: readonly string[]): string[] {
    const deleted = new Set(this.#all.filter(({ verb }) => verb === 'delete').map(({ machine }) => machine));
    return before.filter((name) => !deleted.has(name));
  }

  countAfter(before: number): number {
    const count = (verb: PlanStep['verb']): number => this.#all.filter((step) => step.verb === verb).length;
    return before + count('create') - count('delete');
  }

  /** Returns whether a step happens before a step of another group. Undefined if they are concurrent. */
  isBefore(left: PlanStep, right: PlanStep): boolean | undefined {
    const seconds = right.afterSeconds - left.afterSeconds;
    return Math.abs(seconds) <= concurrentSeconds ? undefined : seconds > 0;
  }
}

/** Sorts consecutive updates by Machine: a controller updates the Machines of a group at the same time. */
function withSortedUpdates(steps: readonly PlanStep[]): PlanStep[] {
  const sorted = [...steps];
  for (let start = 0; start < sorted.length; start += 1) {
    let end = start;
    while (sorted[end]?.verb === 'update') end += 1;
    const updates = sorted.slice(start, end).sort((left, right) => (left.machine < right.machine ? -1 : 1));
    sorted.splice(start, end - start, ...updates);
    start = end;
  }
  return sorted;
}

/** Compares the order of the steps of different groups. Each group has the same steps in both. */
function orderDifferences(plan: Steps, reality: Steps): string[] {
  const groups = [...plan.groups.keys()];
  return groups.flatMap((group, position) =>
    groups.slice(position + 1).flatMap((other) => orderOf(plan, reality, group, other)),
  );
}

function orderOf(plan: Steps, reality: Steps, group: string, other: string): string[] {
  const stepsIn = (made: Steps, name: string): readonly PlanStep[] => made.groups.get(name) ?? [];
  return stepsIn(plan, group).flatMap((left, first) =>
    stepsIn(plan, other).flatMap((right, second) => {
      const [realLeft, realRight] = [stepsIn(reality, group)[first], stepsIn(reality, other)[second]];
      if (realLeft === undefined || realRight === undefined) return [];
      const [planned, happened] = [plan.isBefore(left, right), reality.isBefore(realLeft, realRight)];
      if (planned === undefined || happened === undefined || planned === happened) return [];
      const times = `planned after ${left.afterSeconds} s and ${right.afterSeconds} s, happened after ${realLeft.afterSeconds} s and ${realRight.afterSeconds} s`;
      return [`order of ${left.verb} ${first} of ${group} and ${right.verb} ${second} of ${other}: ${times}`];
    }),
  );
}

const generatedName = /\b([a-z0-9]+(?:-[a-z0-9]+)*?)((?:-[bcdfghjklmnpqrstvwxz2456789]{5})+)\b/g;

/** Replaces the random parts of the names of objects that do not exist before the change. */
function withoutRandomNames(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(generatedName, (name, prefix: string) => (names.has(name) ? name : `${prefix}-(new)`));
}

function machineText({ outcome, group, machine, version, newVersion, why }: PlannedMachine): string {
  return `${outcome} ${group.kind} ${group.name} ${machine ?? ''} ${version} ${newVersion ?? ''} ${why}`;
}

function objectText({ outcome, kind, name }: Plan['objects'][number]): string {
  return `${outcome} ${kind} ${name}`;
}

export function nameOf({ metadata }: Frozen<KubeObject>): string {
  return metadata.name ?? '';
}
