import { asJson, type Frozen, isReason, type KubeObject, StatusError } from '@slipway/kube';
import { ifPresent, keyOf, type ObjectKey, type ReconcileContext, type Resource } from '@slipway/runtime';
import { DriverError, fieldManager, labels } from '../api/index.js';
import { type Inventory, type InventoryItem, itemKey, itemOf } from './inventory.js';
import { needsReplacement, removeForReplacement } from './replace-immutable.js';
import { resourceOfObject } from './resource-of-object.js';

/** Dependencies of the functions that write the objects of a driver. */
export type DeployContext = Pick<ReconcileContext, 'read' | 'change' | 'signal'>;

export interface ApplyOptions {
  /** Whether existing objects of other owners may be adopted. */
  readonly adopt: boolean;
  readonly purpose: Purpose;
}

/** Why the objects of a driver are written. */
export interface Purpose {
  readonly reason: string;
  /** End of a sentence in messages: `to install CPI 1.36.0`. */
  readonly phrase: string;
}

/**
 * Applies objects in order with server-side apply. Conflicts are forced on objects of this operator; fields that it does not set
 * are kept.
 */
export async function applyObjects(
  objects: readonly KubeObject[],
  before: Inventory | undefined,
  context: DeployContext,
  options: ApplyOptions,
): Promise<InventoryItem[]> {
  const owned = new Set([...(before?.objects ?? []), ...(before?.stale ?? [])].map(itemKey));
  const applied: InventoryItem[] = [];
  for (const object of objects) {
    const resource = await resourceOfObject(context.read, object);
    applied.push(itemOf(await applyOne(object, resource, owned, context, options)));
  }
  return applied;
}

async function applyOne(
  object: KubeObject,
  resource: Resource,
  owned: ReadonlySet<string>,
  context: DeployContext,
  { adopt, purpose: { reason, phrase } }: ApplyOptions,
): Promise<Frozen<KubeObject>> {
  const key = keyOf(object);
  const what = nameOf(object.kind, key);
  const live = await ifPresent(context.read.get(resource, key, { signal: context.signal }));
  let current = live ?? ('absent' as const);
  const isOurs = live === undefined || adopt || isMarked(live) || owned.has(itemKey(itemOf(live)));
  if (live !== undefined && needsReplacement(live, object)) {
    if (!isOurs)
      throw new DriverError('ForeignDriverPresent', `${what} already exists and is not managed by this operator`);
    await removeForReplacement(resource, live, context);
    current = 'absent';
  }
  try {
    return await context.change({
      verb: 'apply',
      resource,
      key,
      configuration: asJson(object),
      current,
      fieldManager,
      force: isOurs,
      reason,
      message: `Applied ${what} ${phrase}`,
    });
  } catch (error) {
    throw applyError(error, what);
  }
}

/** Returns the name of an object for messages. */
export function nameOf(kind: string, { namespace, name }: ObjectKey): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

export function isMarked(object: Frozen<KubeObject>): boolean {
  return object.metadata.labels?.[labels.managedBy] === 'vdo';
}

function applyError(error: unknown, what: string): unknown {
  if (!(error instanceof StatusError)) return error;
  const { message } = error;
  const options = { cause: error };
  if (isReason(error, 'Conflict'))
    return new DriverError(
      'ForeignDriverPresent',
      `${what} already exists and is not managed by this operator: ${message}`,
      options,
    );
  if (isReason(error, 'Forbidden')) return new DriverError('Forbidden', `${what}: ${message}`, options);
  if (isReason(error, 'Invalid') || isReason(error, 'BadRequest'))
    return new DriverError('ApplyFailed', `${what}: ${message}`, options);
  return error;
}
