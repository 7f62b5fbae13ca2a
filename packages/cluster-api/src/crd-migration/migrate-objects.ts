import { type Frozen, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import { ifPresent, keyOf, keyText, type ReconcileContext, type Resource } from '@slipway/runtime';
import { withServedFields } from './served-fields.js';

type Writer = Pick<ReconcileContext, 'client' | 'signal'>;

const pageSize = 500;
const attemptsMax = 5;

/** All objects of a kind, page by page, without what stands in them where the server can leave it out. */
export async function listAll({ client, signal }: Writer, resource: Resource): Promise<readonly Frozen<KubeObject>[]> {
  const objects: Frozen<KubeObject>[] = [];
  let token: string | undefined;
  do {
    const page = await client.list(resource, {
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
 * Has the server write every object anew, which it does in the version that it stores now. What was deleted or changed
 * meanwhile needs nothing: whoever changed it had it written. Keys in `migrated` are left out, those that are done come in.
 */
export async function rewriteObjects(
  context: Writer,
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
  { client, signal }: Writer,
  resource: Resource,
  object: Frozen<KubeObject>,
  viaStatus: boolean,
): Promise<void> {
  const { resourceVersion = '' } = object.metadata;
  const patch: JsonObject = { metadata: { resourceVersion } };
  const options = viaStatus ? { signal, subresource: 'status' } : { signal };
  try {
    await client.patch(resource, keyOf(object), { type: 'merge', patch }, options);
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}

/** Takes away what managers said in versions that are served no longer. */
export async function cleanManagedFields(
  context: Writer,
  resource: Resource,
  objects: readonly Frozen<KubeObject>[],
  served: { readonly apiVersions: ReadonlySet<string>; readonly storage: string; readonly nowMs: number },
): Promise<void> {
  await each(objects, resource, 'cleanup managedFields of', (object) => cleanOne(context, resource, object, served));
}

async function cleanOne(
  { client, signal }: Writer,
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
      await client.patch(resource, keyOf(object), { type: 'json', patch }, { signal });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      const latest = await ifPresent(client.get(resource, keyOf(object), { signal }));
      if (latest === undefined) return;
      object = latest;
    }
  }
}

/** Tries all of them; what failed is told together. */
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
      const why = cause instanceof Error ? cause.message : String(cause);
      errors.push(new Error(`${keyText(keyOf(object))}: ${why}`, { cause }));
    }
  }
  if (errors.length === 0) return;
  const messages = errors.map(({ message }) => message).join('; ');
  throw new AggregateError(errors, `failed to ${what} ${resource.kind} objects: ${messages}`);
}
