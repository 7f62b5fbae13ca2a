import type { Clock, Disposable } from '@slipway/base';
import type { ObjectKey, Trigger } from '@slipway/runtime';
import { QmpClient, QmpError, type QmpEvent } from '../qemu/index.js';
import type { MachineFiles } from './layout.js';

/** State of a machine as QEMU reports it. */
export type RunState =
  | 'prelaunch'
  | 'inmigrate'
  | 'running'
  | 'paused'
  | 'suspended'
  | 'shutdown'
  | 'io-error'
  | 'internal-error'
  | 'guest-panicked'
  | 'watchdog';

interface Session {
  readonly client: QmpClient;
  key: ObjectKey;
  /** Number of resets since the last call of `takeResets`. */
  resets: number;
  lastShutdown: string | undefined;
}

/** QMP connections to running machines. Their events enqueue the KVMMachine. */
export class Sessions implements Disposable {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  readonly #exits = new Map<string, string>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  /** Called with the duration of each QMP command. */
  onAnswer: ((command: string, seconds: number) => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers a listener that enqueues machines, until it is disposed. */
  readonly trigger: Trigger = (enqueue) => {
    this.#listeners.add(enqueue);
    return { dispose: () => void this.#listeners.delete(enqueue) };
  };

  recordEvent(key: ObjectKey): void {
    for (const listener of this.#listeners) listener(key);
  }

  /** Connects to QEMU unless already connected, and verifies the UUID of the machine. */
  async attach(uuid: string, key: ObjectKey, files: MachineFiles): Promise<QmpClient> {
    const present = this.#sessions.get(uuid);
    if (present !== undefined && !present.client.isClosed) {
      present.key = key;
      return present.client;
    }
    const client = await QmpClient.connect({
      path: files.control,
      clock: this.#clock,
      onEvent: (event) => this.#onEvent(uuid, event),
      onClose: () => this.#onClose(uuid),
      onAnswer: (command, seconds) => this.onAnswer?.(command, seconds),
    });
    const { UUID: found } = (await client.execute('query-uuid')) as { UUID: string };
    if (found !== uuid) {
      client.dispose();
      throw new QmpError(
        'query-uuid',
        'WrongMachine',
        `${files.control} is the QMP socket of virtual machine ${found}, not of ${uuid}`,
      );
    }
    this.#sessions.set(uuid, { client, key, resets: 0, lastShutdown: undefined });
    return client;
  }

  detach(uuid: string): void {
    const session = this.#sessions.get(uuid);
    this.#sessions.delete(uuid);
    this.#exits.delete(uuid);
    session?.client.dispose();
  }

  /** Returns the number of resets since the last call. */
  takeResets(uuid: string): number {
    const session = this.#sessions.get(uuid);
    if (session === undefined) return 0;
    const { resets } = session;
    session.resets = 0;
    return resets;
  }

  /** Returns why the machine ended, if QEMU reported it. */
  exitOf(uuid: string): string | undefined {
    return this.#exits.get(uuid);
  }

  dispose(): void {
    const all = [...this.#sessions.keys()];
    for (const uuid of all) this.detach(uuid);
    this.#listeners.clear();
  }

  #onEvent(uuid: string, { event, data }: QmpEvent): void {
    const session = this.#sessions.get(uuid);
    if (session === undefined) return;
    if (event === 'RESET') session.resets += 1;
    if (event === 'SHUTDOWN') session.lastShutdown = typeof data['reason'] === 'string' ? data['reason'] : 'unknown';
    if (event !== 'RTC_CHANGE' && event !== 'BALLOON_CHANGE') this.recordEvent(session.key);
  }

  #onClose(uuid: string): void {
    const session = this.#sessions.get(uuid);
    if (session === undefined) return;
    this.#sessions.delete(uuid);
    this.#exits.set(uuid, session.lastShutdown ?? 'killed');
    this.recordEvent(session.key);
  }
}
