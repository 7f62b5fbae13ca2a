import { asJson, isReason, type KubeObject } from '@slipway/kube';
import { type Client, customResourceDefinitions, ifPresent, keyOf, type Secret, secrets } from '@slipway/runtime';
import { needsReplacement } from '../deploy/replace-immutable.js';
import { resourceOfObject } from '../deploy/resource-of-object.js';

export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly say?: (text: string) => void;
}

/** Applies what a command made, in order. Definitions are served a moment later, so that one waits for them. */
export async function writeObjects(
  client: Client,
  objects: readonly KubeObject[],
  { signal, say }: WriteOptions,
): Promise<void> {
  for (const object of objects) {
    const resource = await resourceOfObject(client, object);
    const key = keyOf(object);
    const live = await ifPresent(client.get(resource, key, { signal }));
    // The type of a Secret cannot change.
    if (live !== undefined && object.kind === 'Secret' && needsReplacement(live, object))
      await client.delete(resource, key, { signal });
    const applied = await client.apply(resource, key, asJson(object), { fieldManager: 'vdoctl', force: true, signal });
    if (object.kind === 'CustomResourceDefinition') await established(client, key.name, signal);
    if (applied.metadata.resourceVersion !== live?.metadata.resourceVersion) {
      const what = `${object.kind} ${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}`;
      say?.(`${live === undefined ? 'made' : 'changed'} ${what}`);
    }
  }
}

async function established(client: Client, name: string, signal: AbortSignal): Promise<void> {
  const key = { namespace: '', name };
  for (;;) {
    const { items, resourceVersion } = await client.list(customResourceDefinitions, {
      fieldSelector: `metadata.name=${name}`,
      signal,
    });
    const [found] = items as readonly {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    }[];
    if (found?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true)
      return;
    for await (const _events of client.watch(customResourceDefinitions, {
      fieldSelector: `metadata.name=${key.name}`,
      resourceVersion,
      signal,
    }))
      break;
  }
}

/** Whether a Secret has what the drivers read; the words tell what is missing. */
export async function checkSecret(
  client: Client,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let secret: Pick<Secret, 'data'>;
  try {
    secret = (await client.get(secrets, { namespace, name }, { signal })) as Pick<Secret, 'data'>;
  } catch (error) {
    if (isReason(error, 'NotFound')) return `there is no Secret ${namespace}/${name}`;
    throw error;
  }
  const missing = ['username', 'password'].filter((key) => (secret.data?.[key] ?? '') === '');
  return missing.length === 0 ? undefined : `the Secret ${namespace}/${name} lacks ${missing.join(' and ')}`;
}
