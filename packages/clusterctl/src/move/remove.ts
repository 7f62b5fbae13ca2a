import { clusterctlAnnotations } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { type Client, ifPresent, type ObjectKey, type RequestOptions, type Resource } from '@slipway/runtime';

/**
 * Deletes an object without deleting its infrastructure: removes its finalizers, so that no controller handles the deletion.
 * Removes all annotations except the one that makes webhooks allow it (subtle behaviour 44).
 */
export async function removeForMove(
  client: Client,
  resource: Resource,
  key: ObjectKey,
  options: RequestOptions,
): Promise<void> {
  const object = await ifPresent(client.get(resource, key, options));
  if (object === undefined) return;
  const annotations = { [clusterctlAnnotations.deleteForMove]: '' };
  const marked = [{ op: 'add', path: '/metadata/annotations', value: annotations }];
  await ifPresent(client.patch(resource, key, { type: 'json', patch: marked }, options));
  await ifPresent(client.delete(resource, key, options));
  await stripFinalizers(client, resource, key, options);
}

async function stripFinalizers(
  client: Client,
  resource: Resource,
  key: ObjectKey,
  options: RequestOptions,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const left = await ifPresent(client.get(resource, key, options));
    if (left === undefined) return;
    if (attempt === attemptsMax) throw new Error(`${resource.kind} ${key.namespace}/${key.name} could not be deleted`);
    const patch = { metadata: { finalizers: null, resourceVersion: left.metadata.resourceVersion ?? '' } };
    try {
      await ifPresent(client.patch(resource, key, { type: 'merge', patch }, options));
    } catch (error) {
      // A controller wrote at the same time. Retry.
      if (!isReason(error, 'Conflict')) throw error;
    }
  }
}

const attemptsMax = 10;
