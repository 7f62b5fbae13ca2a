import { cloneJson, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';
import type { Strategy } from './binding.js';
import { planObjectPatch } from './object-patch.js';

/** Brings objects to a workload cluster. All are tried; the errors of those that failed come back. */
export async function applyObjects(
  client: Client,
  strategy: Strategy,
  objects: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly Error[]> {
  const errors: Error[] = [];
  for (const object of objects) {
    try {
      await applyObject(client, strategy, object, signal);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      errors.push(new Error(`${describe(object)}: ${why}`, { cause }));
    }
  }
  return errors;
}

async function applyObject(client: Client, strategy: Strategy, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await client.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined) throw new Error(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
  if (resource.namespaced && (object.metadata.namespace ?? '') === '')
    throw new Error('it belongs into a namespace: set metadata.namespace');
  if (strategy === 'Reconcile' && (await patchExisting(client, resource, object, signal))) return;
  try {
    // The payload is kept for other clusters: what is sent is a copy, the client takes it over.
    await client.create(resource, cloneJson(object) as KubeObject, { signal });
  } catch (error) {
    if (strategy === 'ApplyOnce' && isReason(error, 'AlreadyExists')) return;
    throw error;
  }
}

/** False when there is no such object yet. */
async function patchExisting(
  client: Client,
  resource: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<boolean> {
  const key = {
    namespace: resource.namespaced ? (object.metadata.namespace ?? '') : '',
    name: object.metadata.name ?? '',
  };
  try {
    const current = await client.get(resource, key, { signal });
    const patch = planObjectPatch(current, object);
    if (patch !== undefined) await client.patch(resource, key, { type: 'merge', patch }, { signal });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}

function describe({ kind, metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
