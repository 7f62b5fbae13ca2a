import { setMaxListeners } from 'node:events';
import { type Disposable, type Random, sleep } from '@slipway/base';
import { isReason, type Frozen, type KubeObject } from '@slipway/kube';
import type { Gate } from '../controller/gate.js';
import { type Lease, leases } from '../builtin-resources/index.js';
import { type Fence, LeaseLock, type LeaseLockOptions, type LeaseTimes } from '../leader-election/index.js';
import { fairShare } from './fair-share.js';
import { shardOf } from './shard-hash.js';

export interface ShardElectorOptions extends Omit<LeaseLockOptions, 'key' | 'labels'> {
  readonly random: Random;
  readonly namespace: string;
  /** Name prefix of the Leases. All managers that share the work use the same prefix. */
  readonly name: string;
  readonly shards: number;
  /** Objects with the same key are in the same shard. */
  readonly shardKeyOf: (object: Frozen<KubeObject>) => string;
}

export interface ShardStatus {
  readonly shard: number;
  readonly holder: string;
  readonly held: boolean;
}

const groupLabel = 'slipway.dev/shards-of';
const roleLabel = 'slipway.dev/shard-role';

/**
 * Acquires a fair share of N shards, with one Lease each. Managers discover each other by member Leases. When a manager joins,
 * the others release surplus shards after their work has ended. When a manager dies, its Leases expire and the others acquire
 * them.
 */
export class ShardElector implements Gate {
  readonly shardKeyOf: (object: Frozen<KubeObject>) => string;
  readonly #options: ShardElectorOptions;
  readonly #times: LeaseTimes;
  readonly #member: LeaseLock;
  readonly #shards: readonly LeaseLock[];
  readonly #releasing = new Set<number>();
  readonly #renewing = new Set<LeaseLock>();
  readonly #announced: number[] = [];
  readonly #listeners = new Set<() => void>();
  /** Member Leases of the other managers. Whether they are alive is measured by this process's own clock. */
  readonly #others = new Map<string, LeaseLock>();
  /** Waits until no work under the fence of a shard is in progress. */
  #drain: (fence: Fence) => Promise<void> = () => Promise.resolve();

  constructor(options: ShardElectorOptions) {
    if (!Number.isInteger(options.shards) || options.shards < 1) throw new RangeError('shards must be at least one');
    this.#options = options;
    this.#times = options.times;
    this.shardKeyOf = options.shardKeyOf;
    this.#member = this.#lock(`${options.name}-member-${memberName(options.identity)}`, 'member');
    this.#shards = Array.from({ length: options.shards }, (_, shard) =>
      this.#lock(`${options.name}-shard-${shard}`, 'shard'),
    );
  }

  fenceFor(shardKey: string): Fence | undefined {
    const shard = shardOf(shardKey, this.#options.shards);
    const lock = this.#shards[shard];
    return lock?.isHeld === true && !this.#releasing.has(shard) ? lock : undefined;
  }

  onGained(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /**
   * Sets a function that is called before a shard is released. It must resolve when no work under the shard's fence is in
   * progress.
   */
  drainWith(drain: (fence: Fence) => Promise<void>): void {
    this.#drain = drain;
  }

  status(): ShardStatus[] {
    return this.#shards.map((lock, shard) => ({ shard, holder: lock.holder, held: lock.isHeld }));
  }

  heldShards(): number[] {
    return this.status()
      .filter(({ held }) => held)
      .map(({ shard }) => shard);
  }

  /** Takes part in the election until the signal aborts, then waits for work to end and releases all Leases. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#loop(signal, () => this.#renew()), this.#loop(signal, (limit) => this.#balance(limit))]);
    const never = new AbortController();
    const leaving = Promise.all(this.heldShards().map((shard) => this.#handOver(shard))).finally(() => never.abort());
    await this.#loop(never.signal, () => this.#renew());
    await leaving;
    await this.#leave();
  }

  /** Repeats a round. Renewing and balancing have separate loops, so that slow acquisition does not let held shards expire. */
  async #loop(signal: AbortSignal, round: (limit: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await this.#limited(signal, round);
      this.#announce();
      await this.#pause(this.#times.retryPeriodMs * (1 + this.#options.random.next() * 0.2), signal);
    }
  }

  async #limited(signal: AbortSignal, round: (limit: AbortSignal) => Promise<void>): Promise<void> {
    const limit = new AbortController();
    setMaxListeners(0, limit.signal);
    const onAbort = (): void => limit.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = this.#options.clock.setTimer(this.#times.renewDeadlineMs, () =>
      limit.abort(new Error('listing and acquiring leases timed out')),
    );
    const aborted = new Promise<void>((resolve) =>
      limit.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    try {
      await Promise.race([round(limit.signal), aborted]);
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'Failed to list shard leases');
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Renews all held Leases independently of each other: one slow response must not delay the others. */
  async #renew(): Promise<void> {
    for (const lock of [this.#member, ...this.#heldLocks()]) {
      if (this.#renewing.has(lock)) continue;
      this.#renewing.add(lock);
      const limit = new AbortController();
      const timer = this.#options.clock.setTimer(lock.remainingMs || this.#times.renewDeadlineMs, () =>
        limit.abort(new Error('renewing the lease took too long')),
      );
      void lock.tryAcquireOrRenew(limit.signal).finally(() => {
        timer.cancel();
        this.#renewing.delete(lock);
        this.#announce();
      });
    }
  }

  async #balance(limit: AbortSignal): Promise<void> {
    await this.#observeAll(limit);
    this.#shedSurplus();
    await this.#claim(limit);
  }

  /** Notifies the controllers of acquired shards, also after a lapse in which they may have dropped keys of the shard. */
  #announce(): void {
    let gained = false;
    for (const [shard, lock] of this.#shards.entries()) {
      if (!lock.isHeld || this.#announced[shard] === lock.stretch) continue;
      this.#announced[shard] = lock.stretch;
      this.#options.logger.info({ shard, term: lock.term }, 'Shard acquired');
      gained = true;
    }
    if (gained) for (const listener of this.#listeners) listener();
  }

  /** Observes all Leases with one list request instead of a read for each. */
  async #observeAll(signal: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options;
    const labelSelector = `${groupLabel}=${name}`;
    const { items } = await client.list(leases, { namespace, labelSelector, signal });
    const byName = new Map(items.map((lease) => [lease.metadata.name ?? '', lease]));
    for (const lock of this.#shards) if (!lock.isHeld) lock.observe(byName.get(lock.key.name));
    this.#observeMembers(items);
  }

  #observeMembers(leases: readonly Frozen<Lease>[]): void {
    const seen = new Set<string>();
    for (const lease of leases) {
      const { name = '', labels } = lease.metadata;
      if (
        labels?.[roleLabel] !== 'member' ||
        labels[groupLabel] !== this.#options.name ||
        name === this.#member.key.name
      )
        continue;
      seen.add(name);
      const known = this.#others.get(name) ?? this.#lock(name, 'member');
      known.observe(lease);
      this.#others.set(name, known);
    }
    for (const name of this.#others.keys()) if (!seen.has(name)) this.#others.delete(name);
  }

  #share(): number {
    const members = [...this.#others.values()].filter((lock) => !lock.isFree).map((lock) => lock.holder);
    return fairShare(this.#options.identity, members, this.#options.shards);
  }

  #shedSurplus(): void {
    const kept = this.heldShards().filter((shard) => !this.#releasing.has(shard));
    for (const shard of kept.slice(this.#share())) void this.#handOver(shard);
  }

  async #claim(signal: AbortSignal): Promise<void> {
    const missing = this.#share() - this.heldShards().length;
    if (missing <= 0) return;
    // Start at a random shard: managers that start together would otherwise compete for the same shards.
    const start = Math.floor(this.#options.random.next() * this.#shards.length);
    const candidates = this.#shards
      .map((_, step) => (start + step) % this.#shards.length)
      .filter((shard) => this.#mayTake(shard))
      .slice(0, missing)
      .flatMap((shard) => this.#shards[shard] ?? []);
    await Promise.all(candidates.map((lock) => lock.tryAcquireOrRenew(signal)));
  }

  /** Returns whether a shard can be acquired: it is free, or this process held it before a lapse. */
  #mayTake(shard: number): boolean {
    const lock = this.#shards[shard];
    if (lock === undefined || lock.isHeld || this.#releasing.has(shard)) return false;
    return lock.isFree || lock.holder === this.#options.identity;
  }

  /** Releases a shard: starts no new work on it, renews it until work in progress has ended, then releases its Lease. */
  async #handOver(shard: number): Promise<void> {
    const lock = this.#shards[shard];
    if (lock === undefined || this.#releasing.has(shard)) return;
    this.#releasing.add(shard);
    try {
      await this.#drain(lock);
      await lock.release();
      this.#options.logger.info({ shard }, 'Released shard');
    } finally {
      this.#releasing.delete(shard);
    }
  }

  async #leave(): Promise<void> {
    const { client, logger } = this.#options;
    this.#member.resign();
    await client.delete(leases, this.#member.key).catch((error: unknown) => {
      if (!isReason(error, 'NotFound')) logger.debug({ err: error }, 'Failed to delete member lease');
    });
  }

  #heldLocks(): LeaseLock[] {
    return this.#shards.filter((lock) => lock.isHeld);
  }

  #lock(name: string, role: 'member' | 'shard'): LeaseLock {
    const { namespace, name: group, shards: _shards, ...options } = this.#options;
    return new LeaseLock({ ...options, key: { namespace, name }, labels: { [groupLabel]: group, [roleLabel]: role } });
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock, ms, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Returns an object name for an identity, which may contain characters that object names may not. */
function memberName(identity: string): string {
  return identity
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(-200)
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
}
