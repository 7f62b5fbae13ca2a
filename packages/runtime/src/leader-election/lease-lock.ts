import { setMaxListeners } from 'node:events';
import { type Clock, type Logger, sleep, type Timer } from '@slipway/base';
import { type Frozen, isReason } from '@slipway/kube';
import type { Client, ObjectKey } from '../client/index.js';
import { type Fence, FencedError } from './fence.js';
import { type Lease, leases } from '../builtin-resources/index.js';
import { checkLeaseTimes, leaseSpec, type LeaseTimes } from './lease.js';

export interface LeaseLockOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly key: ObjectKey;
  /** Identity of this process. It must be unique: two processes with the same identity would both believe that they lead. */
  readonly identity: string;
  readonly times: LeaseTimes;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * One Lease, handled like client-go's elector. To decide whether another holder is alive, it measures on the monotonic clock when
 * the record last changed, because wall clocks may differ and jump. The fence counts from before the renew request was sent, so
 * that it closes before any other process can consider the lease expired.
 */
export class LeaseLock implements Fence {
  readonly #options: LeaseLockOptions;
  #observed: Frozen<Lease> | undefined;
  #observedAt = 0;
  #deadline = Number.NEGATIVE_INFINITY;
  #resigned = true;
  /** Number of resignations. An attempt that was in progress during a resignation must not undo it. */
  #epoch = 0;
  #stretch = 0;
  #abort: AbortController | undefined;
  #timer: Timer | undefined;

  constructor(options: LeaseLockOptions) {
    checkLeaseTimes(options.times);
    this.#options = options;
  }

  get key(): ObjectKey {
    return this.#options.key;
  }

  /** The last observed Lease. */
  get lease(): Frozen<Lease> | undefined {
    return this.#observed;
  }

  /** The last observed holder; '' if there is none. */
  get holder(): string {
    return this.#observed?.spec?.holderIdentity ?? '';
  }

  /** Number of holder changes so far. */
  get term(): number {
    return this.#observed?.spec?.leaseTransitions ?? 0;
  }

  /** Whether this process holds the lease and may write. */
  get isHeld(): boolean {
    return !this.#resigned && this.#options.clock.monotonic() < this.#deadline;
  }

  /** Number of times that this process acquired the lease. A new value reveals a lapse that went unnoticed. */
  get stretch(): number {
    return this.#stretch;
  }

  /** Milliseconds for which this process may still write without renewing. */
  get remainingMs(): number {
    return this.#resigned ? 0 : Math.max(0, this.#deadline - this.#options.clock.monotonic());
  }

  check(): void {
    if (!this.isHeld) throw new FencedError(`lease ${this.key.namespace}/${this.key.name} is no longer held`);
  }

  get signal(): AbortSignal {
    this.#abort ??= createSharedAbort();
    if (!this.isHeld) this.#abort.abort(new FencedError(`lease ${this.key.name} is no longer held`));
    return this.#abort.signal;
  }

  /** Observes a Lease that was read elsewhere, such as in a list. */
  observe(lease: Frozen<Lease> | undefined): void {
    const known = this.#observed?.metadata;
    const sameRecord =
      lease !== undefined &&
      known?.uid === lease.metadata.uid &&
      known?.resourceVersion === lease.metadata.resourceVersion;
    if (sameRecord) return;
    this.#observed = lease;
    this.#observedAt = this.#options.clock.monotonic();
  }

  /** Whether the lease has no holder, or the holder has not renewed it within its duration. */
  get isFree(): boolean {
    return this.holder === '' || !this.#isObservedValid();
  }

  /**
   * Makes one attempt: renews the lease if this process holds it, acquires it if it is free. Returns whether this process holds
   * it.
   */
  async tryAcquireOrRenew(signal?: AbortSignal): Promise<boolean> {
    const startedAt = this.#options.clock.monotonic();
    const epoch = this.#epoch;
    const isCurrent = (): boolean => epoch === this.#epoch && signal?.aborted !== true;
    try {
      const lease = (await this.#renewOptimistically(signal)) ?? (await this.#acquire(signal, isCurrent));
      if (lease === undefined) return false;
      this.observe(lease);
      // A response that arrives after the caller gave up must not reopen the fence.
      if (!isCurrent()) return false;
      this.#hold(startedAt);
      return true;
    } catch (error) {
      this.#options.logger.debug({ Lease: this.key, err: error }, 'Failed to acquire or renew lease');
      return false;
    }
  }

  /** Closes the fence immediately. The Lease object keeps its holder until it expires or is released. */
  resign(): void {
    this.#resigned = true;
    this.#epoch += 1;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#abort?.abort(new FencedError(`lease ${this.key.name} was released`));
    this.#abort = undefined;
  }

  /** Resigns and releases the lease. Call it only when all work has ended. */
  async release(): Promise<boolean> {
    const { client, key, identity, clock, times, logger } = this.#options;
    this.resign();
    const deadline = clock.monotonic() + times.renewDeadlineMs;
    const timeout = new AbortController();
    const timer = clock.setTimer(times.renewDeadlineMs, () =>
      timeout.abort(new Error('releasing the lease timed out')),
    );
    try {
      while (clock.monotonic() < deadline) {
        const lease = await client.get(leases, key, { signal: timeout.signal });
        this.observe(lease);
        if (lease.spec?.holderIdentity !== identity) return true;
        const now = leaseSpec('', { ...times, leaseDurationMs: 1000 }, clock.now(), {
          leaseTransitions: lease.spec.leaseTransitions ?? 0,
        });
        try {
          const body = { ...lease, metadata: { ...lease.metadata }, spec: now } as Lease;
          this.observe(await client.update(leases, body, { signal: timeout.signal }));
          return true;
        } catch (error) {
          // A renewal that was in progress when this process stopped may have been written in the meantime.
          if (!isReason(error, 'Conflict')) throw error;
          await sleep(clock, 10);
        }
      }
      return false;
    } catch (error) {
      logger.debug({ Lease: key, err: error }, 'Failed to release lease');
      return false;
    } finally {
      timer.cancel();
    }
  }

  /** Renews the lease without reading it first. This fails if another process has changed it. */
  async #renewOptimistically(signal: AbortSignal | undefined): Promise<Frozen<Lease> | undefined> {
    const observed = this.#observed;
    if (observed === undefined || this.holder !== this.#options.identity || !this.#isObservedValid()) return undefined;
    try {
      return await this.#write(observed, signal);
    } catch (error) {
      this.#options.logger.debug({ Lease: this.key, err: error }, 'Failed to renew lease without reading it first');
      return undefined;
    }
  }

  async #acquire(signal: AbortSignal | undefined, isCurrent: () => boolean): Promise<Frozen<Lease> | undefined> {
    const { client, key } = this.#options;
    let lease: Frozen<Lease>;
    try {
      if (!isCurrent()) return undefined;
      lease = await client.get(leases, key, { signal });
    } catch (error) {
      if (!isReason(error, 'NotFound') || !isCurrent()) throw error;
      return this.#create(signal);
    }
    this.observe(lease);
    if (!isCurrent()) return undefined;
    if (!this.isFree && this.holder !== this.#options.identity) return undefined;
    return this.#write(lease, signal);
  }

  #create(signal: AbortSignal | undefined): Promise<Frozen<Lease>> {
    const { client, key, identity, times, clock, labels } = this.#options;
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: key.name,
        namespace: key.namespace,
        ...(labels === undefined ? {} : { labels: { ...labels } }),
      },
      spec: leaseSpec(identity, times, clock.now(), { leaseTransitions: 0 }),
    };
    return client.create(leases, lease, { signal });
  }

  #write(current: Frozen<Lease>, signal: AbortSignal | undefined): Promise<Frozen<Lease>> {
    const { client, identity, times, clock } = this.#options;
    const { holderIdentity, acquireTime, leaseTransitions = 0 } = current.spec ?? {};
    const kept =
      holderIdentity === identity ? { acquireTime, leaseTransitions } : { leaseTransitions: leaseTransitions + 1 };
    const spec = leaseSpec(identity, times, clock.now(), kept);
    return client.update(leases, { ...current, metadata: { ...current.metadata }, spec } as Lease, { signal });
  }

  #isObservedValid(): boolean {
    const duration = (this.#observed?.spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#observedAt + duration > this.#options.clock.monotonic();
  }

  #hold(startedAt: number): void {
    const { clock, times } = this.#options;
    // After a lapse, create a new signal: the old one stays aborted for its listeners.
    if (!this.isHeld) {
      this.#abort?.abort(new FencedError(`lease ${this.key.name} expired`));
      this.#abort = undefined;
      this.#stretch += 1;
    }
    this.#resigned = false;
    this.#deadline = startedAt + times.renewDeadlineMs;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(this.#deadline - clock.monotonic(), () => {
      this.#abort?.abort(new FencedError(`lease ${this.key.name} was not renewed in time`));
      this.#abort = undefined;
    });
  }
}

/** Creates an abort controller without a limit of listeners: every reconcile in progress adds one, which is not a leak. */
function createSharedAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
