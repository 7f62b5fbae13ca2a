import {
  applyMergePatch,
  asJson,
  cloneJson,
  deepFreeze,
  type Frozen,
  type JsonObject,
  type KubeObject,
} from '@slipway/kube';
import type { ObjectKey } from '../client/index.js';
import type { Change } from './change.js';
import type { Attempt } from './change-report.js';
import { keyOf } from './object-difference.js';

/**
 * Objects that a dry run would have created. The server does not store them, so later changes to them in the same
 * reconcile are simulated here: an apply with the uid of such an object would fail with a conflict.
 */
export class DryRunObjects {
  readonly #objects = new Map<string, Frozen<KubeObject>>();

  has({ change, key }: Attempt): boolean {
    return this.#objects.has(idOf(change, key));
  }

  /**
   * Returns the object with the change applied, or undefined if the server must be called. Field ownership is not tracked, so an
   * apply never removes fields here.
   */
  written({ change, key, body }: Attempt): Frozen<KubeObject> | undefined {
    const object = this.#objects.get(idOf(change, key));
    if (object === undefined || body === undefined || Array.isArray(body)) return object;
    const next = cloneJson(asJson(object));
    applyMergePatch(next, body as JsonObject);
    return deepFreeze(next) as unknown as Frozen<KubeObject>;
  }

  note({ change, base }: Attempt, object: Frozen<KubeObject>): void {
    const id = idOf(change, keyOf(object));
    const isCreated = change.verb === 'create' || (change.verb === 'apply' && base === undefined);
    if (isCreated || this.#objects.has(id)) this.#objects.set(id, object);
  }

  forget({ change, key }: Attempt): void {
    this.#objects.delete(idOf(change, key));
  }
}

function idOf(change: Change, { namespace, name }: ObjectKey): string {
  const { group, kind } = change.resource;
  const cluster = change.verb === 'call' ? '' : (change.on?.name ?? '');
  return `${cluster} ${group}/${kind} ${namespace}/${name}`;
}
