import { type IpAddress } from '@slipway/kube';
import type { Clock } from '@slipway/base';
import { keyText, type ObjectKey, type Source } from '@slipway/runtime';
import type { IPAddress } from '../api/index.js';
import { type AddressSet, lowestFree, storedAddress } from './address-set.js';
import { addressPoolIndex } from './pool-reference.js';

interface Reservation {
  readonly claim: ObjectKey;
  readonly value: bigint;
  readonly until: number;
}

/** Lifetime of a reservation. Caches do not lag longer than this. */
const reservationMs = 60_000;

/**
 * Chooses and reserves addresses in one step, so that concurrent reconciles never choose the same address. A reserved address
 * counts as used until the cache contains it.
 */
export class Reservations {
  readonly #clock: Clock;
  readonly #pools = new Map<string, Map<string, Reservation>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reserves the lowest free address for the claim and returns it. Undefined if no address is free. */
  choose(pool: string, set: AddressSet, addresses: Source<IPAddress>, claim: ObjectKey): IpAddress | undefined {
    const used = new Set<bigint>();
    for (const address of addresses.byIndex(addressPoolIndex, pool)) {
      const stored = storedAddress(address);
      if (stored !== undefined) used.add(stored.value);
    }
    for (const { value } of this.#current(pool, addresses)) used.add(value);
    const chosen = lowestFree(set, used);
    if (chosen === undefined) return undefined;
    const held = this.#pools.get(pool) ?? new Map<string, Reservation>();
    held.set(keyText(claim), { claim, value: chosen.value, until: this.#clock.monotonic() + reservationMs });
    this.#pools.set(pool, held);
    return chosen;
  }

  /** Releases a reservation that was not used. */
  release(pool: string, claim: ObjectKey): void {
    const held = this.#pools.get(pool);
    held?.delete(keyText(claim));
    if (held?.size === 0) this.#pools.delete(pool);
  }

  /** Returns the reservations whose address the cache does not contain yet. */
  #current(pool: string, addresses: Source<IPAddress>): Reservation[] {
    const held = Array.from(this.#pools.get(pool)?.values() ?? []);
    const isOver = ({ claim, until }: Reservation): boolean =>
      addresses.get(claim) !== undefined || this.#clock.monotonic() >= until;
    for (const reservation of held.filter(isOver)) this.release(pool, reservation.claim);
    return held.filter((reservation) => !isOver(reservation));
  }
}
