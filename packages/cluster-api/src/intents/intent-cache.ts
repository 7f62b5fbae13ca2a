import { createHash } from 'node:crypto';
import type { JsonValue } from '@slipway/kube';

/** More objects than one process looks after; past it the oldest are applied once more, which changes nothing. */
const entriesMax = 100_000;

/**
 * What each field manager last said about each object. An apply that says the same again costs a request and changes nothing;
 * one that says less takes fields away, which cannot be seen from the object alone.
 */
export class IntentCache {
  readonly #fingerprints = new Map<string, string>();

  isLast(uid: string, fieldManager: string, fingerprint: string): boolean {
    return this.#fingerprints.get(`${fieldManager} ${uid}`) === fingerprint;
  }

  note(uid: string, fieldManager: string, fingerprint: string): void {
    const key = `${fieldManager} ${uid}`;
    this.#fingerprints.delete(key);
    this.#fingerprints.set(key, fingerprint);
    if (this.#fingerprints.size <= entriesMax) return;
    const [oldest] = this.#fingerprints.keys();
    if (oldest !== undefined) this.#fingerprints.delete(oldest);
  }
}

/** Short, and different for whatever differs. */
export function fingerprintOf(intent: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(intent)).digest('base64url').slice(0, 24);
}
