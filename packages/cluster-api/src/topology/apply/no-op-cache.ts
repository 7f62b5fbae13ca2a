import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@slipway/kube';
import type { ObservedObject } from '../topology-state.js';

const entriesMax = 100_000;

/**
 * Remembers which intents change nothing on which objects, so that nobody asks the server again while neither has changed. An
 * object's status is no part of it: it changes often and says nothing about what is applied.
 */
export class NoOpCache {
  readonly #known = new Map<string, string>();

  has(object: ObservedObject, intent: JsonValue): boolean {
    return this.#known.get(object.metadata.uid ?? '') === fingerprint(object, intent);
  }

  add(object: ObservedObject, intent: JsonValue): void {
    const { uid = '' } = object.metadata;
    // The oldest goes first: objects that are still there are asked about again and come back.
    this.#known.delete(uid);
    if (this.#known.size >= entriesMax) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(uid, fingerprint(object, intent));
  }
}

function fingerprint({ metadata }: ObservedObject, intent: JsonValue): string {
  const { generation = 0, labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const state = { generation, labels, annotations, ownerReferences } as unknown as JsonValue;
  return createHash('sha256')
    .update(canonicalJson([state, intent]))
    .digest('base64');
}
