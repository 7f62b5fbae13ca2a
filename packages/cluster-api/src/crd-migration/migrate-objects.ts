import { type Frozen, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import { FencedError, ifPresent, keyOf, keyText, type ReconcileContext, type Resource } from '@slipway/runtime';
import { withServedFields } from './served-fields.js';

type MigrationContext = Pick<ReconcileContext, 'read' | 'change' | 'signal'>;

const pageSize = 500;
const attemptsMax = 5;

/** Lists all objects of a kind, page by page. Requests only metadata if the server supports it. */
export async function listAll(
  { read, signal }: MigrationContext,
  resource: Resource,
): Promise<readonly Frozen<KubeObject>[]> {
  const objects: Frozen<KubeObject>[] = [];
  let token: string | undefined;
  do {
    const page = await read.list(resource, {
      limit: pageSize,
      metadataOnly: true,
      signal,
      ...(token !== undefined && { continue: token }),
    });
    objects.push(...page.items);
    token = page.continue;
  } while (token !== undefined && token !== '');
  return objects;
}

/**
 * Rewrites every object without a change, so that the server stores it in the current storage version. Skips objects that were
 * deleted or changed after the list: another write has already migrated them. Skips the keys in `migrated`, and adds the keys of
 * migrated objects to it.
 */
export async function rewriteObjects(
  context: MigrationContext,
  resource: Resource,
  objects: readonly Frozen<KubeObject>[],
  options: { readonly viaStatus: boolean; readonly migrated: Set<string> },
): Promise<void> {
  const { migrated } = options;
  const due = objects.filter((object) => !migrated.has(keyText(keyOf(object))));
  await each(due, resource, 'migrate storage version of', async (object) => {
    await rewrite(context, resource, object, options.viaStatus);
    migrated.add(keyText(keyOf(object)));
  });
}

async function rewrite(
  context: MigrationContext,
  resource: Resource,
  object: Frozen<KubeObject>,
  viaStatus: boolean,
): Promise<void> {
  const { resourceVersion = '' } = object.metadata;
  const patch: JsonObject = { metadata: { resourceVersion } };
  try {
    await context.change({
      verb: 'patch',
      resource,
      key: keyOf(object),
      body: { type: 'merge', patch },
      subresource: viaStatus ? 'status' : '',
      reason: 'StorageVersionMigration',
      message: `Rewrote ${resource.kind} ${keyText(keyOf(object))} in storage version ${resource.version}`,
    });
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}

/** Removes managedFields entries whose API version is no longer served. */
export async function cleanManagedFields(
  context: MigrationContext,
  resource: Resource,
  objects: readonly Frozen<KubeObject>[],
  served: { readonly apiVersions: ReadonlySet<string>; readonly storage: string; readonly nowMs: number },
): Promise<void> {
  await each(objects, resource, 'cleanup managedFields of', (object) => cleanOne(context, resource, object, served));
}

async function cleanOne(
  context: MigrationContext,
  resource: Resource,
  given: Frozen<KubeObject>,
  served: Parameters<typeof cleanManagedFields>[3],
): Promise<void> {
  for (let attempt = 1, object = given; ; attempt += 1) {
    const storage = { apiVersion: served.storage, nowMs: served.nowMs };
    const fields = withServedFields(object.metadata.managedFields ?? [], served.apiVersions, storage);
    if (fields === undefined) return;
    const patch = [
      { op: 'replace', path: '/metadata/managedFields', value: fields as unknown as JsonObject[] },
      { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion ?? '' },
    ];
    try {
      await context.change({
        verb: 'patch',
        resource,
        key: keyOf(object),
        body: { type: 'json', patch },
        reason: 'CleanupManagedFields',
        message: `Removed managedFields of ${resource.kind} ${keyText(keyOf(object))} in versions that are not served`,
      });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      const latest = await ifPresent(context.read.get(resource, keyOf(object), { signal: context.signal }));
      if (latest === undefined) return;
      object = latest;
    }
  }
}

/** Calls a function for every object, and throws all failures as one error. */
async function each(
  objects: readonly Frozen<KubeObject>[],
  resource: Resource,
  what: string,
  work: (object: Frozen<KubeObject>) => Promise<void>,
): Promise<void> {
  const errors: Error[] = [];
  for (const object of objects) {
    try {
      await work(object);
    } catch (cause) {
      if (cause instanceof FencedError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      errors.push(new Error(`${keyText(keyOf(object))}: ${why}`, { cause }));
    }
  }
  if (errors.length === 0) return;
  const messages = errors.map(({ message }) => message).join('; ');
  throw new AggregateError(errors, `failed to ${what} ${resource.kind} objects: ${messages}`);
}
