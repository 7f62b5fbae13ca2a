import { asJson, isReason, type KubeObject } from '@slipway/kube';
import {
  customResourceDefinitions,
  ifPresent,
  keyOf,
  type Reader,
  type RemoteCluster,
  type Secret,
  secrets,
  type Writer,
} from '@slipway/runtime';
import { needsReplacement } from '../deploy/replace-immutable.js';
import { resourceOfObject } from '../deploy/resource-of-object.js';

export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly say?: (text: string) => void;
  /** The cluster to write to. Defaults to the cluster of the writer. */
  readonly on?: RemoteCluster;
}

/** Applies the objects in order. Waits for each CRD until it is served. */
export async function writeObjects(
  writer: Pick<Writer, 'read' | 'change'>,
  objects: readonly KubeObject[],
  { signal, say, on }: WriteOptions,
): Promise<void> {
  const { read } = on ?? writer;
  const target = on === undefined ? {} : { on };
  for (const object of objects) {
    const resource = await resourceOfObject(read, object);
    const key = keyOf(object);
    const what = `${object.kind} ${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}`;
    const live = await ifPresent(read.get(resource, key, { signal }));
    // A Secret with another type is deleted first, because the type is immutable.
    if (live !== undefined && object.kind === 'Secret' && needsReplacement(live, object))
      await writer.change({
        verb: 'delete',
        ...target,
        resource,
        key,
        reason: 'ImmutableFieldChanged',
        message: `Deleted ${what} to create it again with another type`,
      });
    const applied = await writer.change({
      verb: 'apply',
      ...target,
      resource,
      key,
      configuration: asJson(object),
      fieldManager: 'vdoctl',
      reason: 'DriversRequested',
      message: `Applied ${what} for the vSphere drivers`,
    });
    if (object.kind === 'CustomResourceDefinition') await established(read, key.name, signal);
    if (applied.metadata.resourceVersion !== live?.metadata.resourceVersion)
      say?.(`${live === undefined ? 'created' : 'updated'} ${what}`);
  }
}

async function established(read: Reader, name: string, signal: AbortSignal): Promise<void> {
  const key = { namespace: '', name };
  for (;;) {
    const { items, resourceVersion } = await read.list(customResourceDefinitions, {
      fieldSelector: `metadata.name=${name}`,
      signal,
    });
    const [found] = items as readonly {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    }[];
    if (found?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true)
      return;
    for await (const _events of read.watch(customResourceDefinitions, {
      fieldSelector: `metadata.name=${key.name}`,
      resourceVersion,
      signal,
    }))
      break;
  }
}

/** Returns which data a Secret of the drivers lacks, or undefined if it is complete. */
export async function checkSecret(
  read: Reader,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let secret: Pick<Secret, 'data'>;
  try {
    secret = (await read.get(secrets, { namespace, name }, { signal })) as Pick<Secret, 'data'>;
  } catch (error) {
    if (isReason(error, 'NotFound')) return `Secret ${namespace}/${name} not found`;
    throw error;
  }
  const missing = ['username', 'password'].filter((key) => (secret.data?.[key] ?? '') === '');
  return missing.length === 0
    ? undefined
    : `the Secret ${namespace}/${name} does not have the keys ${missing.join(' and ')}`;
}
