import { formatTime, type RandomSource } from '@slipway/kube';
import { type ConditionStatus, setCondition } from '@slipway/runtime';
import type { Machine, MachineDeployment, MachineSet } from '../api/index.js';
import { labels, revisionAnnotations } from '../api/index.js';
import { planRollout, rolloutLimits, type RolloutStep } from '../machine-deployment/index.js';
import { machineSetCounters, newMachine, planRemediation, planReplicas } from '../machine-set/index.js';
import { upToDateMessages } from '../machines/index.js';

/** Returns a random source whose suffixes are in alphabetical order, so that transcripts are stable. */
export function countingRandom(): RandomSource {
  const [digits, base] = [5, 27];
  let calls = 0;
  return {
    next: () => {
      const [count, position] = [Math.floor(calls / digits) + 1, digits - 1 - (calls % digits)];
      calls += 1;
      return ((Math.floor(count / base ** position) % base) + 0.5) / base;
    },
    bytes: (length) => new Uint8Array(length),
  };
}

export type Actor = 'deployment' | `set ${string}` | `machine ${string}`;

/**
 * Simulates a MachineDeployment with its MachineSets and machines, each of which advances one step on request. The planners under
 * test make the decisions. The other actors are minimal.
 */
export class RolloutSimulation {
  readonly deployment: MachineDeployment;
  readonly sets = new Map<string, MachineSet>();
  readonly machines = new Map<string, Machine>();
  readonly lines: string[] = [];
  /** Names of machines that never become ready. */
  readonly broken = new Set<string>();
  /** Called after each step. */
  onStep: (actor: Actor) => void = () => {};
  readonly #random = countingRandom();
  #uids = 0;
  #seconds = 0;

  constructor(deployment: MachineDeployment) {
    this.deployment = deployment;
  }

  get nowMs(): number {
    return Date.UTC(2026, 0, 1) + this.#seconds * 1000;
  }

  /** Returns all actors that can advance, in a fixed order. */
  actors(): Actor[] {
    return [
      'deployment',
      ...[...this.sets.keys()].map((name): Actor => `set ${name}`),
      ...[...this.machines.keys()].map((name): Actor => `machine ${name}`),
    ];
  }

  step(actor: Actor): void {
    this.#seconds += 1;
    const [kind, name = ''] = actor.split(' ');
    if (kind === 'deployment') this.#stepDeployment();
    if (kind === 'set') this.#stepSet(name);
    if (kind === 'machine') this.#stepMachine(name);
    this.onStep(actor);
  }

  change(what: string, apply: (deployment: MachineDeployment) => void): void {
    this.lines.push(`== ${what}`);
    apply(this.deployment);
    this.deployment.metadata.generation = (this.deployment.metadata.generation ?? 1) + 1;
  }

  deleteMachine(name: string): void {
    const machine = this.machines.get(name);
    if (machine !== undefined) machine.metadata.deletionTimestamp ??= formatTime(this.nowMs);
  }

  setMachineCondition(name: string, type: string, status: ConditionStatus, reason: string, message = ''): void {
    const machine = this.machines.get(name);
    if (machine !== undefined) setCondition(machine, { type, status, reason, message }, this.nowMs);
  }

  /** Number of available machines that are not being deleted. */
  get availableMachines(): number {
    return [...this.machines.values()].filter((machine) => isTrue(machine, 'Available') && !isDeleting(machine)).length;
  }

  get isDone(): boolean {
    const { replicas } = rolloutLimits(this.deployment);
    const [set, ...others] = [...this.sets.values()];
    const machines = [...this.machines.values()];
    return (
      others.length === 0 &&
      set?.status?.availableReplicas === replicas &&
      machines.length === replicas &&
      machines.every((machine) => isTrue(machine, 'UpToDate'))
    );
  }

  /** `done`, or the transcript up to the point where the simulation got stuck. */
  get outcome(): string {
    return this.isDone ? 'done' : this.lines.join('\n');
  }

  /** `md-bbbbc 3/3/2`: desired, existing and available replicas. */
  summary(): string {
    return [...this.sets.values()]
      .map(({ metadata, spec, status = {} }) => {
        return `${metadata.name} ${spec.replicas}/${status.replicas ?? 0}/${status.availableReplicas ?? 0}`;
      })
      .join(', ');
  }

  #stepDeployment(): void {
    const { deployment } = this;
    const plan = planRollout({
      deployment,
      machineSets: [...this.sets.values()],
      machines: [...this.machines.values()],
      templatesExist: true,
      nowMs: this.nowMs,
      random: this.#random,
    });
    for (const planned of plan.steps) this.#apply(planned);
    deployment.status = { ...deployment.status, observedGeneration: deployment.metadata.generation ?? 1 };
  }

  #apply(change: RolloutStep): void {
    const subject = `MachineDeployment ${this.deployment.metadata.name}`;
    if (change.verb === 'annotate') {
      const annotations = { ...this.deployment.metadata.annotations, [revisionAnnotations.revision]: change.revision };
      this.deployment.metadata.annotations = annotations;
      return;
    }
    if (change.verb === 'delete') {
      this.sets.delete(change.name);
      this.lines.push(`${subject}: delete ${change.name}, ${change.reason}`);
      return;
    }
    this.#write(change.machineSet as MachineSet);
    const scale = change.scale === undefined ? '' : ` ${change.scale.from} -> ${change.scale.to}`;
    const why = change.verb === 'create' ? (change.scale?.reason ?? '') : '';
    const name = change.machineSet.metadata.name ?? '';
    this.lines.push(
      `${subject}: ${change.verb} ${name}${scale}, ${change.reason}${why && ` and ${why}`}: ${change.message}`,
    );
  }

  #write(machineSet: MachineSet): void {
    const { metadata, spec, ...type } = structuredClone(machineSet);
    const before = this.sets.get(metadata.name ?? '');
    const identity = before?.metadata ?? { uid: this.#uid(), creationTimestamp: formatTime(this.nowMs) };
    const generation = (before?.metadata.generation ?? 0) + 1;
    const set: MachineSet = { ...type, metadata: { ...identity, ...metadata, generation }, spec };
    if (before?.status !== undefined) set.status = before.status;
    this.sets.set(metadata.name ?? '', set);
  }

  #stepSet(name: string): void {
    const set = this.sets.get(name);
    if (set === undefined) return;
    this.#remediate(set);
    const machines = this.#machinesOf(set);
    const input = { machineSet: set, machines, missing: {}, preflightFailures: [], nowMs: this.nowMs };
    for (const change of planReplicas({ ...input, random: this.#random }).steps) {
      if (change.verb === 'create') this.#createMachine(set, change.name);
      else this.deleteMachine(change.name);
      const cause = change.verb === 'delete' ? ` (${change.cause})` : '';
      this.lines.push(`MachineSet ${name}: ${change.verb} ${change.name}${cause}`);
    }
    const counters = machineSetCounters(set, this.#machinesOf(set));
    const { replicas, readyReplicas, availableReplicas, upToDateReplicas } = counters;
    const observedGeneration = set.metadata.generation ?? 1;
    set.status = { replicas, readyReplicas, availableReplicas, upToDateReplicas, observedGeneration };
  }

  #remediate(set: MachineSet): void {
    const { deployment } = this;
    const plan = planRemediation({
      machineSet: set,
      machines: this.#machinesOf(set),
      deployment,
      preflightFailures: [],
    });
    for (const change of plan.steps) {
      const name = change.name;
      if (change.verb === 'delete') this.deleteMachine(name);
      if (change.verb === 'patch') {
        const { type, status, reason, message } = change.condition;
        const before = this.machines.get(name)?.status?.conditions?.find((condition) => condition.type === type);
        this.setMachineCondition(name, type, status, reason, message);
        if (before?.reason === reason) continue;
      }
      this.lines.push(`MachineSet ${set.metadata.name}: ${change.verb} ${name}, ${change.reason}: ${change.message}`);
    }
  }

  #createMachine(set: MachineSet, name: string): void {
    const intent = newMachine(set, name);
    const identity = { uid: this.#uid(), creationTimestamp: formatTime(this.nowMs) };
    this.machines.set(name, { ...intent, metadata: { ...intent.metadata, ...identity } });
  }

  #stepMachine(name: string): void {
    const machine = this.machines.get(name);
    if (machine === undefined) return;
    if (isDeleting(machine)) {
      this.machines.delete(name);
      this.lines.push(`Machine ${name}: gone`);
      return;
    }
    const set = this.sets.get(machine.metadata.labels?.[labels.setName] ?? '');
    const stale = set === undefined ? [] : upToDateMessages(this.deployment, set, this.nowMs);
    const upToDate = stale.length === 0;
    this.setMachineCondition(
      name,
      'UpToDate',
      upToDate ? 'True' : 'False',
      upToDate ? 'UpToDate' : 'NotUpToDate',
      stale.join('\n'),
    );
    if (this.broken.has(name)) return;
    const wasReady = isTrue(machine, 'Ready');
    machine.status = { ...machine.status, nodeRef: { name } };
    this.setMachineCondition(name, 'Ready', 'True', 'Ready');
    const waits = !wasReady && (machine.spec.minReadySeconds ?? 0) > 0;
    if (waits || isTrue(machine, 'Available')) return;
    this.setMachineCondition(name, 'Available', 'True', 'Available');
    this.lines.push(`Machine ${name}: available`);
  }

  #machinesOf(set: MachineSet): Machine[] {
    return [...this.machines.values()].filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid),
    );
  }

  #uid(): string {
    this.#uids += 1;
    return `uid-${this.#uids}`;
  }
}

function isTrue(machine: Machine, type: string): boolean {
  return machine.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

function isDeleting(machine: Machine): boolean {
  return machine.metadata.deletionTimestamp !== undefined;
}
