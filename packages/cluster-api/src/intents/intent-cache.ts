import { createHash } from 'node:crypto';
import type { JsonValue } from '@slipway/kube';

/** More objects than one process manages. An evicted intent is applied once more, which changes nothing. */
const entriesMax = 100_000;

/**
 * Stores the last intent of each field manager for each object. Applying the same intent again costs a request and changes
 * nothing. An intent with fewer fields must be applied, because that removes fields, and the object alone does not show it.
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

/** Returns a short hash of a value. */
export function fingerprintOf(intent: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(intent)).digest('base64url').slice(0, 24);
}
