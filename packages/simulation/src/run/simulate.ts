import { VirtualClock } from '@slipway/base';
import type { ObjectStore } from '@slipway/apiserver';
import { clusters } from '@slipway/cluster-api';
import type { ChangeRecord } from '@slipway/runtime';
import { randomFor, between } from '../random/random.js';
import { FaultWindows } from '../faults/fault-windows.js';
import { Durability } from '../invariants/durability.js';
import { unexplained } from '../invariants/explanation.js';
import { leftovers } from '../invariants/leftovers.js';
import { Leadership } from '../invariants/leadership.js';
import { MachineCount } from '../invariants/machine-count.js';
import { Quorum } from '../invariants/quorum.js';
import { RecordedChanges } from '../invariants/recorded-changes.js';
import { unsettled } from '../invariants/rest.js';
import { loadProvider, type Provider } from '../providers/provider.js';
import type { Mover } from '../users/mover.js';
import { Users } from '../users/users.js';
import { preparedDisk } from '../environment/api-server.js';
import { Infrastructure } from '../providers/infrastructure.js';
import { namespace } from '../objects/names.js';
import type { ExecutedWrite } from '../processes/process-client.js';
import { simulatedKeys } from '../environment/simulated-keys.js';
import { messageOf, SimulatedSystem } from '../environment/system.js';
import type { Fault, Plan } from '../plan/plan.js';
import { simulationLogger } from './simulation-log.js';
import { changeLine, Transcript } from '../report/transcript.js';
import { type InvariantName, Violation } from '../report/violation.js';

export interface SimulationResult {
  readonly plan: Plan;
  readonly violation: Violation | undefined;
  readonly transcript: Transcript;
  readonly simulatedMs: number;
  readonly writes: number;
}

export interface SimulateOptions {
  readonly keepTranscript?: boolean;
  /** Receives every line of the transcript as it is written. */
  readonly onLine?: (line: string) => void;
}

const minuteMs = 60_000;
/** Everything must converge within this time after the last fault. */
const convergenceMs = 90 * minuteMs;
const deletionMs = 60 * minuteMs;
const restMs = 12 * minuteMs;
const checkIntervalMs = 10_000;
/** Objects that are younger need not report a reason yet. */
const explanationMs = 3 * minuteMs;
/** Resources whose objects change although nothing happens. */
const alwaysChanging: ReadonlySet<string> = new Set(['leases', 'events']);

/** Runs one plan to its end, or to the first violation. */
export async function simulate(plan: Plan, options: SimulateOptions = {}): Promise<SimulationResult> {
  // Loaded before the run, because loading takes real time and the run has only virtual time.
  const provider = await loadProvider(plan.provider);
  for (let plane = 0; plane < plan.planes; plane += 1) await preparedDisk(plan.provider, plane);
  const { Mover: MoverClass } = plan.planes > 1 ? await import('../users/mover.js') : { Mover: undefined };
  return new Simulation(plan, provider, MoverClass, options).run();
}

/** A management plane with the invariants that are checked on it. */
interface Plane {
  readonly system: SimulatedSystem;
  readonly durability: Durability;
  readonly leadership: Leadership;
}

class Simulation {
  readonly #plan: Plan;
  readonly #time = new VirtualClock();
  readonly #transcript: Transcript;
  readonly #provider: Provider;
  readonly #keys = simulatedKeys();
  readonly #infrastructure: Infrastructure;
  readonly #planes: readonly Plane[];
  /** The current or last known store of each plane, by plane index. */
  readonly #lastStores: ObjectStore[] = [];
  readonly #mover: Mover | undefined;
  readonly #users: Users;
  readonly #windows: FaultWindows;
  readonly #machineCount = new MachineCount();
  readonly #recordedChanges = new RecordedChanges();
  readonly #quorum: Quorum;
  #violation: Violation | undefined;
  #writes = 0;
  #crashAfterWrites = Number.POSITIVE_INFINITY;

  constructor(plan: Plan, provider: Provider, mover: typeof Mover | undefined, options: SimulateOptions) {
    this.#plan = plan;
    this.#provider = provider;
    const { keepTranscript: keepAll = false, onLine } = options;
    this.#transcript = new Transcript(() => this.#time.monotonic(), { keepAll, ...(onLine && { onLine }) });
    const random = randomFor(plan.seed, 'infrastructure');
    this.#infrastructure = new Infrastructure({ clock: this.#time, random, keys: this.#keys });
    this.#planes = Array.from({ length: plan.planes }, (_, index) => this.#createPlane(index));
    this.#mover = mover && this.#createMover(mover);
    const [time, transcript] = [this.#time, this.#transcript];
    const clients = this.#systems.map(({ userClient }) => userClient);
    const failed = (error: unknown): void => this.#guard(() => raise(error));
    this.#users = new Users({ clients, provider, mover: this.#mover, time, transcript, failed }, plan);
    this.#windows = new FaultWindows(this.#systems, this.#time);
    const names = this.#users.clusters.map(({ desired: wanted }) => wanted.name);
    this.#quorum = new Quorum(this.#infrastructure, names);
  }

  get #systems(): readonly SimulatedSystem[] {
    return this.#planes.map(({ system }) => system);
  }

  /** The stores of all planes, or undefined while one of the servers is down. */
  get #stores(): readonly ObjectStore[] | undefined {
    const stores = this.#systems.flatMap(({ store }) => store ?? []);
    return stores.length === this.#planes.length ? stores : undefined;
  }

  #createPlane(index: number): Plane {
    const plan = this.#plan;
    const sink = {
      line: (text: string) => this.#transcript.write(text),
      programmingError: (error: Error) => this.#fail('no internal error', error.stack ?? error.message),
    };
    const durability = new Durability();
    const leadership = new Leadership(plan.shards);
    const system = new SimulatedSystem({
      seed: plan.seed,
      shape: plan.shape,
      resync: plan.resync,
      classes: plan.classes,
      shards: plan.shards,
      providerName: plan.provider,
      provider: this.#provider,
      plane: index,
      infrastructure: this.#infrastructureFor(index),
      keys: this.#keys,
      time: this.#time,
      transcript: this.#transcript,
      logger: simulationLogger(sink),
      executed: (write) => this.#guard(() => this.#executed(write, this.#planes[index] as Plane)),
      answered: (write) => this.#recordedChanges.answered(write),
      changed: (process, record) => this.#changed(process, record),
      opened: (store) => {
        this.#lastStores[index] = store;
        this.#guard(() => durability.opened(store));
      },
      closing: (store) => durability.closing(store),
      livelock: (process) => this.#fail('no livelock', `${process} is in a livelock`),
    });
    return { system, durability, leadership };
  }

  #infrastructureFor(plane: number): Infrastructure {
    if (this.#plan.planes === 1) return this.#infrastructure;
    const resource = `${clusters.group}/${clusters.plural}`;
    return this.#infrastructure.seenBy(({ namespace: place, name }) =>
      this.#lastStores.some((store, index) => {
        const found = index === plane ? undefined : store.get({ resource, namespace: place, name });
        return found !== undefined;
      }),
    );
  }

  #createMover(MoverClass: typeof Mover): Mover {
    return new MoverClass({
      time: this.#time,
      random: randomFor(this.#plan.seed, 'mover'),
      transcript: this.#transcript,
      clientFor: (plane, process) => (this.#planes[plane] as Plane).system.clientFor(process),
      machinesOf: (name) => this.#infrastructure.get({ namespace, name })?.machines ?? [],
    });
  }

  async run(): Promise<SimulationResult> {
    try {
      for (const system of this.#systems) await system.start();
      this.#schedule();
      await this.#advance(this.#plan.activeMs);
      this.#windows.closeAll();
      this.#transcript.write('faults end');
      await this.#converge();
      await this.#rest();
      await this.#deleteAll();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.#violation ??= error;
    }
    if (this.#violation !== undefined) this.#transcript.write(`violation: ${this.#violation.message}`);
    return {
      plan: this.#plan,
      violation: this.#violation,
      transcript: this.#transcript,
      simulatedMs: this.#time.monotonic(),
      writes: this.#writes,
    };
  }

  #schedule(): void {
    for (const action of this.#plan.actions) this.#time.setTimer(action.atMs, () => this.#users.do(action));
    for (const fault of this.#plan.faults) this.#time.setTimer(fault.atMs, () => this.#begin(fault));
  }

  #begin(fault: Fault): void {
    if (this.#time.monotonic() > this.#plan.activeMs) return;
    const { kind, force, ms, cluster } = fault;
    const system = this.#systems[cluster % this.#planes.length] as SimulatedSystem;
    this.#transcript.write(`fault: ${kind} of ${force.toFixed(2)} for ${ms} ms at c${cluster}`);
    switch (kind) {
      case 'crashServer':
        return system.crashServer();
      case 'crashAtWrite':
        this.#crashAfterWrites = Math.ceil(force * 40);
        return;
      case 'crashManager':
        return system.crashManager(cluster);
      case 'stopManager':
        return system.stopManager(cluster, ms);
      case 'crashMover':
        return this.#mover?.crash();
      case 'machineFailure':
        return this.#failMachine(fault);
      case 'clockJump':
        return this.#time.jump(Math.round((force - 0.3) * 3 * 60 * minuteMs));
      default:
        // Allow extra machines for another minute: requests from the time of a network fault may be executed, or repeated, a
        // little later.
        if (kind === 'diskFailure') this.#time.setTimer(ms, () => void this.#checkDisks());
        if (kind === 'network') this.#machineCount.allowExtraUntil(this.#time.monotonic() + ms + minuteMs);
        this.#windows.open(fault);
    }
  }

  /** Fails one machine of the cluster. Skips failures that no controller can remediate, such as the loss of the etcd quorum. */
  #failMachine({ cluster, force }: Fault): void {
    const name = `c${cluster}`;
    const workload = this.#infrastructure.get({ namespace, name });
    if (workload === undefined || !workload.isUp) return;
    const { etcd } = workload;
    const alive = etcd.members.filter((member) => etcd.running(member.name) !== undefined).length;
    const isSpared = (machine: string): boolean =>
      etcd.members.some((member) => member.name === machine) &&
      (etcd.members.length < 3 || alive < etcd.members.length);
    const candidates = workload.machines.filter((machine) => !isSpared(machine));
    const machine = candidates[Math.floor(force * candidates.length)];
    if (machine === undefined) return;
    this.#transcript.write(`fault: machine ${machine} fails`);
    if (etcd.members.some((member) => member.name === machine))
      this.#quorum.machineFailed(name, this.#time.monotonic());
    void workload.failMachine(machine);
  }

  #executed(write: ExecutedWrite, { system, leadership }: Plane): void {
    const { process, verb, resource, key, subresource, object } = write;
    if (write.isChange && !alwaysChanging.has(resource.plural)) {
      this.#writes += 1;
      const part = subresource === '' ? '' : `/${subresource}`;
      const version = object?.metadata.resourceVersion ?? 'gone';
      this.#transcript.write(`${process} ${verb} ${resource.kind}${part} ${key.name} -> ${version}`);
    }
    leadership.executed(write);
    const { store } = system;
    if (store !== undefined) this.#machineCount.executed(write, store, this.#time.monotonic());
    this.#crashAfterWrites -= 1;
    if (this.#crashAfterWrites <= 0) {
      this.#crashAfterWrites = Number.POSITIVE_INFINITY;
      this.#machineCount.allowExtraUntil(this.#time.monotonic() + minuteMs);
      system.crashServer();
    }
  }

  #changed(process: string, record: ChangeRecord): void {
    // Skip Events: each repeats the change that it reports.
    if (record.object.kind !== 'Event') this.#transcript.write(changeLine(process, record));
    this.#guard(() => this.#recordedChanges.recorded(process, record));
  }

  /** Checks that every visible write is on disk: a client must never observe a write that failed to commit. */
  async #checkDisks(): Promise<void> {
    for (const system of this.#systems) await this.#checkDisk(system);
  }

  async #checkDisk(system: SimulatedSystem): Promise<void> {
    const { store } = system;
    if (store === undefined) return;
    const shown = new Durability();
    shown.closing(store);
    try {
      const found = await system.storeOnDisk();
      this.#guard(() => shown.opened(found));
    } catch (error) {
      this.#fail('no acknowledged write is lost', `the disk cannot be read: ${messageOf(error)}`);
    }
  }

  /** Advances time step by step and checks the invariants after each step. */
  async #advance(untilMs: number): Promise<void> {
    while (this.#time.monotonic() < untilMs) {
      const left = untilMs - this.#time.monotonic();
      await this.#time.advance(Math.min(this.#time.nextTimerMs() ?? left, left));
      this.#guard(() => this.#quorum.check((name) => this.#storeOf(name), this.#time.monotonic()));
      this.#guard(() => this.#recordedChanges.check());
      if (this.#violation !== undefined) throw this.#violation;
    }
  }

  #storeOf(name: string): ObjectStore | undefined {
    const home = this.#users.clusters.find(({ desired: wanted }) => wanted.name === name)?.home ?? 0;
    return this.#planes[home]?.system.store;
  }

  async #converge(): Promise<void> {
    // Wait for the last user action: a user may unpause a cluster after the last fault.
    await this.#advance(Math.max(...this.#plan.actions.map(({ atMs }) => atMs), 0) + 1);
    const begin = this.#time.monotonic();
    const explainFrom = begin + explanationMs;
    for (;;) {
      await this.#advance(this.#time.monotonic() + checkIntervalMs);
      const open = this.#unsettled();
      if (open.length === 0) break;
      if (this.#time.monotonic() > explainFrom) for (const store of this.#stores ?? []) this.#checkExplained(store);
      if (this.#time.monotonic() - begin > convergenceMs) throw new Violation('everything converges', open.join('\n'));
    }
    this.#transcript.write(`the desired state was reached after ${this.#time.monotonic() - begin} ms`);
  }

  /** Returns the differences from the state that the users desire. */
  #unsettled(): readonly string[] {
    const stores = this.#stores;
    if (stores === undefined) return ['a server is down'];
    if (this.#users.isBusy) return ['users have pending actions'];
    return unsettled(stores, this.#infrastructure, this.#users.clusters, this.#provider);
  }

  #checkExplained(store: ObjectStore): void {
    const silent = unexplained(store, this.#time.now() - explanationMs);
    if (silent.length > 0) throw new Violation('objects that are not ready report a reason', silent.join('\n'));
  }

  /** Checks that nothing is written once everything has converged. */
  async #rest(): Promise<void> {
    await this.#advance(this.#time.monotonic() + minuteMs);
    const [before, linesBefore] = [this.#writes, this.#transcript.count];
    await this.#advance(this.#time.monotonic() + restMs);
    await this.#checkDisks();
    if (this.#violation !== undefined) throw this.#violation;
    if (this.#writes > before) {
      const lines = this.#transcript.lines.slice(linesBefore - this.#transcript.count).join('\n');
      throw new Violation('no writes at rest', `${this.#writes - before} writes:\n${lines}`);
    }
    const open = this.#unsettled();
    if (open.length > 0)
      throw new Violation('everything converges', `the desired state did not persist: ${open.join('\n')}`);
  }

  async #deleteAll(): Promise<void> {
    const begin = this.#time.monotonic();
    const random = randomFor(this.#plan.seed, 'end');
    for (const index of this.#users.clusters.keys()) {
      const action = { kind: 'deleteCluster', atMs: 0, cluster: index, amount: 0 } as const;
      this.#time.setTimer(between(random, 0, minuteMs), () => this.#users.do(action));
    }
    await this.#advance(this.#time.monotonic() + 2 * minuteMs);
    for (;;) {
      const stores = this.#stores;
      const left =
        stores === undefined ? ['a server is down'] : leftovers(stores, this.#infrastructure, this.#provider);
      if (left.length === 0) break;
      if (this.#time.monotonic() - begin > deletionMs) throw new Violation('deletion leaves nothing', left.join('\n'));
      await this.#advance(this.#time.monotonic() + checkIntervalMs);
    }
    this.#transcript.write('nothing is left');
  }

  #guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (error instanceof Violation) this.#violation ??= error;
      else this.#fail('no internal error', messageOf(error));
    }
  }

  #fail(invariant: InvariantName, detail: string): void {
    this.#violation ??= new Violation(invariant, detail);
  }
}

function raise(error: unknown): never {
  throw error;
}
