import { asJson, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { keyOf, type ReconcileContext, type Resource } from '@slipway/runtime';
import { coversIntent } from './covers.js';
import type { IntentCache } from './intent-cache.js';

export interface IntentOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** The current object. */
  readonly current: Frozen<T>;
  /** All fields that the field manager applies, including name and uid, without status. */
  readonly intent: JsonObject;
  readonly fieldManager: string;
  /** Fingerprint of the part of the intent that was not copied from the object itself. */
  readonly fingerprint: string;
}

/**
 * Applies an intent to an existing object. Skips the request if the object contains the intent and the same intent was applied
 * last. Returns the resulting object.
 */
export async function applyIntent<T extends KubeObject>(
  context: Pick<ReconcileContext, 'change'>,
  cache: IntentCache,
  options: IntentOptions<NoInfer<T>> & { readonly resource: Resource<T> },
): Promise<Frozen<T>> {
  const { resource, current, intent, fieldManager, fingerprint } = options;
  const plain: Frozen<KubeObject> = current;
  const { uid = '', name = '' } = plain.metadata;
  if (cache.isLast(uid, fieldManager, fingerprint) && coversIntent(asJson(plain), intent)) return current;
  const applied = await context.change({
    verb: 'apply',
    resource,
    key: keyOf(plain),
    configuration: intent,
    current,
    fieldManager,
    reason: 'PropagatedInPlace',
    message: `Updated ${resource.kind} ${name} in place`,
  });
  cache.note(uid, fieldManager, fingerprint);
  return applied;
}
