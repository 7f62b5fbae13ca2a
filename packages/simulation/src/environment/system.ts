import { FakeDisk, type ObjectStore, openMemoryStore } from '@slipway/apiserver';
import { type Logger, type Random, seededRandom, sleep, VirtualClock } from '@slipway/base';
import { type KeySource } from '@slipway/pki';
import { ChangeFeed, type ChangeRecord, type Client, type Manager } from '@slipway/runtime';
import { randomFor, between } from '../random/random.js';
import { RequestFaults } from '../processes/request-faults.js';
import type { Provider, ProviderName } from '../providers/provider.js';
import type { Transcript } from '../report/transcript.js';
import { preparedDisk, type RunningApiServer, startApiServer } from './api-server.js';
import { startControllers } from './controllers.js';
import type { Infrastructure } from '../providers/infrastructure.js';
import { type ExecutedWrite, ProcessClient } from '../processes/process-client.js';
import { SimulatedProcess } from '../processes/simulated-process.js';

export interface SystemOptions {
  readonly seed: number;
  readonly shape: 'embedded' | 'managers';
  readonly resync: boolean;
  readonly providerName: ProviderName;
  readonly provider: Provider;
  /** Number of shards; 0 if one manager reconciles all clusters. */
  readonly shards: number;
  /** Index of this management plane. Planes share only the infrastructure. */
  readonly plane: number;
  readonly infrastructure: Infrastructure;
  readonly classes: boolean;
  readonly time: VirtualClock;
  readonly transcript: Transcript;
  readonly logger: Logger;
  readonly keys: KeySource;
  readonly executed: (write: ExecutedWrite) => void;
  /** Called when the response to a controller's write has reached the controller's process. */
  readonly answered: (write: ExecutedWrite) => void;
  /** Called when a controller has published a change to the change feed of its process. */
  readonly changed: (process: string, record: ChangeRecord) => void;
  /** Called when a server has started from the committed state of the disk. */
  readonly opened: (store: ObjectStore) => void;
  /** Called before a server loses its memory in a crash. */
  readonly closing: (store: ObjectStore) => void;
  /** Called when a process is in a livelock: it keeps working without letting time advance. */
  readonly livelock: (process: string) => void;
}

const restartMs = { first: 1_000, last: 15_000 };
/** Number of managers: with `leading` one leads and one stands by, with `sharing` each reconciles its shards. */
const managerCount = { leading: 2, sharing: 3 };

/**
 * The complete system: an API server on a disk that loses uncommitted writes, controllers in the same process or in
 * others, and infrastructure.
 */
export class SimulatedSystem {
  readonly disk: FakeDisk;
  readonly faults: RequestFaults;
  readonly infrastructure: Infrastructure;
  /** Client of users. Its requests fail only if the server is down. */
  readonly userClient: Client;
  readonly #options: SystemOptions;
  readonly #random: Random;
  readonly #restartRandom: Random;
  readonly #managers: SimulatedProcess[] = [];
  #serverProcess: SimulatedProcess | undefined;
  #running: RunningApiServer | undefined;
  #lives = 0;

  constructor(options: SystemOptions) {
    const { seed, time, plane } = options;
    const randomOf = (purpose: string): Random => randomFor(seed, plane === 0 ? purpose : `${purpose} ${plane}`);
    this.#options = options;
    this.disk = new FakeDisk(time, randomOf('disk'));
    this.faults = new RequestFaults(randomOf('requests'));
    this.#random = randomOf('product');
    this.#restartRandom = randomOf('processes');
    this.infrastructure = options.infrastructure;
    this.userClient = this.clientFor(new SimulatedProcess('users', time));
  }

  /** The store of the running server, or undefined while it is down. */
  get store(): ObjectStore | undefined {
    return this.#running?.store;
  }

  async start(): Promise<void> {
    const file = this.disk.open();
    const { providerName, plane } = this.#options;
    file.append(await preparedDisk(providerName, plane));
    await file.sync();
    this.#startServer();
    if (this.#options.shape === 'managers')
      for (let index = 0; index < this.#managerCount; index += 1) this.#startManager(index);
  }

  /** The state that a server would load if it started now. */
  async storeOnDisk(): Promise<ObjectStore> {
    const clock = new VirtualClock();
    const copy = new FakeDisk(clock, seededRandom(1));
    const file = copy.open();
    file.append(this.disk.open().read());
    await file.sync();
    return openMemoryStore({ disk: copy, clock });
  }

  /** Simulates a power loss of the server's host, followed by a restart. */
  crashServer(): void {
    const process = this.#serverProcess;
    if (process === undefined || process.isDead) return;
    this.#options.transcript.write(`fault: ${process.name} crashes`);
    if (this.#running !== undefined) this.#options.closing(this.#running.store);
    this.#running = undefined;
    process.kill();
    this.disk.crash();
    this.#options.time.setTimer(this.#restartMs(), () => this.#startServer());
  }

  crashManager(index: number): void {
    const process = this.#managers[index % this.#managerCount];
    if (process === undefined || process.isDead) return;
    this.#options.transcript.write(`fault: ${process.name} crashes`);
    process.kill();
    this.#options.time.setTimer(this.#restartMs(), () => this.#startManager(index % this.#managerCount));
  }

  /** Stops a manager for a while, as SIGSTOP does. */
  stopManager(index: number, ms: number): void {
    const process = this.#managers[index % this.#managerCount];
    if (process === undefined || process.isDead) return;
    this.#options.transcript.write(`fault: ${process.name} is stopped for ${ms} ms`);
    process.stop();
    this.#options.time.setTimer(ms, () => process.resume());
  }

  #startServer(): void {
    const { time, logger, transcript, shape, opened, classes, provider } = this.#options;
    const process = this.#process(`server-${this.#nextLife()}`);
    this.#serverProcess = process;
    const dependencies = { time, disk: this.disk, random: this.#random, logger, classes, provider };
    startApiServer(dependencies, process)
      .then(async (running) => {
        if (process.isDead) return;
        this.#running = running;
        transcript.write(`${process.name} serves from revision ${running.store.revision}`);
        opened(running.store);
        if (shape === 'embedded') await this.#startControllers(process);
      })
      .catch((error: unknown) => {
        if (process.isDead) return;
        transcript.write(`${process.name} did not start: ${messageOf(error)}`);
        this.crashServer();
      });
  }

  #startManager(index: number): void {
    const { time, transcript } = this.#options;
    const process = this.#process(`manager-${index}-${this.#nextLife()}`);
    this.#managers[index] = process;
    const end = (why: string): void => {
      if (process.isDead) return;
      transcript.write(`${process.name} ends: ${why}`);
      process.kill();
      time.setTimer(this.#restartMs(), () => this.#startManager(index));
    };
    this.#startControllers(process, process.name).then(
      (manager) =>
        manager.done.then(
          () => end('stopped'),
          (error: unknown) => end(messageOf(error)),
        ),
      (error: unknown) => end(messageOf(error)),
    );
  }

  async #startControllers(process: SimulatedProcess, identity?: string): Promise<Manager> {
    const { logger, resync, classes, provider, shards, keys, executed, answered, changed } = this.#options;
    // Let the server start first, so that no process tries to connect before it.
    await sleep(process.clock, 10);
    const changes = new ChangeFeed({ recentMax: 0 });
    changes.subscribe((record) => changed(process.name, record));
    const { faults } = this;
    return startControllers({
      process,
      client: new ProcessClient({ process, faults, executed, answered, server: () => this.#running }),
      provider,
      infrastructure: this.infrastructure,
      random: this.#random,
      keys,
      logger,
      changes,
      resync,
      classes,
      shards,
      ...(identity === undefined ? {} : { identity }),
    });
  }

  /** Returns a client for a process without controllers. Its requests fail only if the server is down. */
  clientFor(process: SimulatedProcess): ProcessClient {
    const { executed } = this.#options;
    const faults = new RequestFaults(seededRandom(1));
    return new ProcessClient({ process, faults, executed, server: () => this.#running });
  }

  #process(name: string): SimulatedProcess {
    return new SimulatedProcess(name, this.#options.time, () => this.#options.livelock(name));
  }

  /** Returns the number of the next process, with the plane as suffix except for the first plane. */
  #nextLife(): string {
    this.#lives += 1;
    return this.#options.plane === 0 ? `${this.#lives}` : `${this.#lives}-of-${this.#options.plane}`;
  }

  get #managerCount(): number {
    return this.#options.shards > 0 ? managerCount.sharing : managerCount.leading;
  }

  #restartMs(): number {
    return between(this.#restartRandom, restartMs.first, restartMs.last);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
