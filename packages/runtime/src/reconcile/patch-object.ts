import type { Frozen, KubeObject } from '@slipway/kube';
import { keyOf } from '../change/index.js';
import { sendDifference, type DifferenceOptions } from '../change/object-difference.js';
import type { Client, RequestOptions, Resource } from '../client/index.js';

export interface PatchOptions extends RequestOptions, DifferenceOptions {
  readonly seesOwnChange?: boolean;
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
}

/** Sends what differs with a client of one's own, outside of a reconcile. */
export function patchObject<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  before: Frozen<NoInfer<T>>,
  after: Frozen<NoInfer<T>>,
  options: PatchOptions = {},
): Promise<Frozen<T>> {
  const { signal, dryRun, fieldManager, seesOwnChange } = options;
  const key = keyOf(before);
  return sendDifference<T>(
    {
      get: () => client.get(resource, key, { signal }),
      patch: (patch, subresource) =>
        client.patch(resource, key, { type: 'merge', patch }, { signal, dryRun, fieldManager, subresource }),
    },
    before,
    after,
    { ...options, ...(seesOwnChange === undefined ? {} : { observesOwnChange: seesOwnChange }) },
  );
}
