import { type Frozen, isReason, type JsonObject, type KubeObject, parseApiVersion, StatusError } from '@slipway/kube';
import { type Client, ifPresent, type ObjectKey, type Resource } from '@slipway/runtime';

export interface ApplyObjectsOptions {
  /** Namespace of objects without metadata.namespace. */
  readonly namespace: string;
  /** Whether to take ownership of fields that controllers manage. */
  readonly forceConflicts?: boolean;
  /** Whether to validate on the server without storing. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** An object of a manifest cannot be applied. The message contains the position of the object. */
export class ManifestError extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'ManifestError';
    this.remedy = options.remedy;
  }
}

export const fieldManager = 'slipway';
/** Field managers of CLI tools: a manifest may overwrite their fields without --force-conflicts. */
const cliManagers = /^(kubectl(-[a-z-]+)?|slipway|clusterctl)$/;

/** Applies the objects of a manifest in their order, by server-side apply. */
export async function applyObjects(
  client: Client,
  objects: readonly KubeObject[],
  options: ApplyObjectsOptions,
): Promise<readonly Frozen<KubeObject>[]> {
  const applied: Frozen<KubeObject>[] = [];
  for (const object of objects) {
    const placed = await place(client, object, options.namespace);
    applied.push(await applyOne(client, placed, options));
  }
  return applied;
}

/** Deletes the objects of a manifest, ignoring those that do not exist. */
export async function deleteObjects(
  client: Client,
  objects: readonly KubeObject[],
  options: ApplyObjectsOptions,
): Promise<void> {
  for (const object of objects) {
    const { resource, key } = await place(client, object, options.namespace);
    try {
      await ifPresent(client.delete(resource, key, signalOf(options)));
    } catch (error) {
      throw refused(nameOf(object, key), error, deletionRemedy);
    }
  }
}

export interface Placed {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly object: KubeObject;
}

export async function place(client: Client, object: KubeObject, namespace: string): Promise<Placed> {
  const { apiVersion, kind, metadata } = object;
  const resource = await client.resourceFor({ ...parseApiVersion(apiVersion), kind });
  if (resource === undefined)
    throw new ManifestError(`the management cluster does not serve kind ${kind} of ${apiVersion}`, {
      remedy: 'install the provider of this kind first, or correct apiVersion and kind',
    });
  const own = resource.namespaced ? (metadata.namespace ?? namespace) : '';
  const named = resource.namespaced ? { ...metadata, namespace: own } : metadata;
  return { resource, key: { namespace: own, name: metadata.name ?? '' }, object: { ...object, metadata: named } };
}

async function applyOne(
  client: Client,
  { resource, key, object }: Placed,
  options: ApplyObjectsOptions,
): Promise<Frozen<KubeObject>> {
  const apply = (force: boolean): Promise<Frozen<KubeObject>> =>
    client.apply(resource, key, structuredClone(object) as unknown as JsonObject, {
      fieldManager,
      force,
      dryRun: options.dryRun ?? false,
      ...signalOf(options),
    });
  const name = nameOf(object, key);
  try {
    return await apply(options.forceConflicts ?? false);
  } catch (error) {
    if (!isReason(error, 'Conflict')) throw refused(name, error);
    const others = managersIn(error).filter((manager) => !cliManagers.test(manager));
    if (others.length > 0)
      throw new ManifestError(`${name}: ${error.message}`, {
        remedy: 'remove these fields from the manifest, or take ownership of them with --force-conflicts',
        cause: error,
      });
  }
  try {
    return await apply(true);
  } catch (error) {
    throw refused(name, error);
  }
}

function managersIn(error: StatusError): string[] {
  const causes = error.details?.causes ?? [];
  return causes.map(({ message = '' }) => /conflict with "([^"]*)"/.exec(message)?.[1] ?? message);
}

function nameOf({ kind }: KubeObject, { namespace, name }: ObjectKey): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

const deletionRemedy = 'remove the object from the manifest, and delete it when no other object uses it';

function refused(name: string, error: unknown, remedy?: string): unknown {
  if (!(error instanceof StatusError)) return error;
  return new ManifestError(`${name}: ${error.message}`, { cause: error, ...(remedy !== undefined && { remedy }) });
}

function signalOf({ signal }: ApplyObjectsOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
