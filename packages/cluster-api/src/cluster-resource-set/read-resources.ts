import { type Frozen, isReason } from '@slipway/kube';
import {
  type ConfigMap,
  configMaps,
  edit,
  ensureOwnerReference,
  ownerReference,
  patchObject,
  type ReconcileContext,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { type ClusterResourceSet, secretTypes } from '../api/index.js';
import type { ResourceReference } from './binding.js';
import { type Payload, PayloadError, type PayloadSource, readPayload } from './payload.js';

/** What stands behind one entry of `spec.resources`. */
export type ReadResource = { readonly reference: ResourceReference } & (
  | { readonly state: 'ready'; readonly payload: Payload }
  | { readonly state: 'missing' | 'wrong-type' | 'invalid'; readonly message: string }
);

/** Payloads are read once, however many clusters they go to and however often these change. */
const payloads = new WeakMap<PayloadSource, Payload | PayloadError>();

/** Reads the resources of a set, and makes the set an owner of each: whoever moves the set moves them, too. */
export async function readResources(
  context: Pick<ReconcileContext, 'client' | 'signal'>,
  set: Frozen<ClusterResourceSet>,
): Promise<readonly ReadResource[]> {
  return Promise.all(set.spec.resources.map((reference) => readResource(context, set, reference)));
}

async function readResource(
  context: Pick<ReconcileContext, 'client' | 'signal'>,
  set: Frozen<ClusterResourceSet>,
  reference: ResourceReference,
): Promise<ReadResource> {
  const { client, signal } = context;
  const key = { namespace: set.metadata.namespace ?? '', name: reference.name };
  const where = `${reference.kind} ${key.namespace}/${key.name}`;
  try {
    if (reference.kind === 'ConfigMap') {
      const found = await client.get(configMaps, key, { signal });
      const after: Frozen<ConfigMap> = edit(found, (draft) =>
        ensureOwnerReference(draft.metadata, ownerReference(set)),
      );
      return decode(reference, await patchObject(client, configMaps, found, after, { signal }));
    }
    const found = await client.get(secrets, key, { signal });
    if (found.type !== secretTypes.resourceSet)
      return { reference, state: 'wrong-type', message: `Secret type of resource ${key.name} is not supported` };
    const after: Frozen<Secret> = edit(found, (draft) => ensureOwnerReference(draft.metadata, ownerReference(set)));
    return decode(reference, await patchObject(client, secrets, found, after, { signal }));
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    return {
      reference,
      state: 'missing',
      message: `${where} does not exist; create it, or take it out of spec.resources`,
    };
  }
}

function decode(reference: ResourceReference, source: PayloadSource): ReadResource {
  let payload = payloads.get(source);
  if (payload === undefined) {
    payload = tryRead(source);
    payloads.set(source, payload);
  }
  if (payload instanceof PayloadError) return { reference, state: 'invalid', message: payload.message };
  return { reference, state: 'ready', payload };
}

function tryRead(source: PayloadSource): Payload | PayloadError {
  try {
    return readPayload(source);
  } catch (error) {
    if (error instanceof PayloadError) return error;
    throw error;
  }
}
