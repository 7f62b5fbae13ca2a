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

/** A cache that lags longer than this has other troubles. */
const reservationMs = 60_000;

/**
 * Chooses addresses. What was chosen and is not in the cache yet counts as used: the choice and its note are one step, so
 * that claims which are looked at side by side never get the same address.
 */
export class Reservations {
  readonly #clock: Clock;
  readonly #pools = new Map<string, Map<string, Reservation>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lowest free address, held for the claim. Undefined when there is none. */
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

  /** It was not needed in the end. */
  release(pool: string, claim: ObjectKey): void {
    const held = this.#pools.get(pool);
    held?.delete(keyText(claim));
    if (held?.size === 0) this.#pools.delete(pool);
  }

  /** Those that the cache does not show yet. */
  #current(pool: string, addresses: Source<IPAddress>): Reservation[] {
    const held = Array.from(this.#pools.get(pool)?.values() ?? []);
    const isOver = ({ claim, until }: Reservation): boolean =>
      addresses.get(claim) !== undefined || this.#clock.monotonic() >= until;
    for (const reservation of held.filter(isOver)) this.release(pool, reservation.claim);
    return held.filter((reservation) => !isOver(reservation));
  }
}
