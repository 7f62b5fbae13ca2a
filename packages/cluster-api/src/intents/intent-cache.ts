import { createHash } from 'node:crypto';
import type { JsonValue } from '@slipway/kube';

/** More objects than one process manages. The oldest are evicted and applied once more, which changes nothing. */
const entriesMax = 100_000;

/**
 * The last intent of each field manager for each object. Applying the same again costs a request and changes nothing; applying
 * less removes fields, which the object alone does not show.
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

/** A short fingerprint of a value. */
export function fingerprintOf(intent: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(intent)).digest('base64url').slice(0, 24);
}
