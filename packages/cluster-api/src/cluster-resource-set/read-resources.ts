import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Change,
  type ConfigMap,
  configMaps,
  edit,
  ensureOwnerReference,
  ifPresent,
  ownerReference,
  type ReconcileContext,
  type Resource,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { type ClusterResourceSet, secretTypes } from '../api/index.js';
import type { ResourceReference } from './binding.js';
import { type Payload, PayloadError, type PayloadSource, readPayload } from './payload.js';

/** The ConfigMap or Secret that one entry of `spec.resources` references. */
export type ReadResource = {
  readonly reference: ResourceReference;
  /** Patch that adds the set as an owner, so that `clusterctl move` moves the resource together with the set. */
  readonly adoption?: Change;
} & (
  | { readonly state: 'ready'; readonly payload: Payload }
  | { readonly state: 'missing' | 'wrong-type' | 'invalid'; readonly message: string }
);

/** Parsed payloads. Each is parsed once, even if it is applied to many clusters. */
const payloads = new WeakMap<PayloadSource, Payload | PayloadError>();

type ReadContext = Pick<ReconcileContext, 'read' | 'signal'>;
type ObservedSet = Frozen<ClusterResourceSet>;

export async function readResources(context: ReadContext, set: ObservedSet): Promise<readonly ReadResource[]> {
  return Promise.all(set.spec.resources.map((reference) => readResource(context, set, reference)));
}

async function readResource(
  { read, signal }: ReadContext,
  set: ObservedSet,
  reference: ResourceReference,
): Promise<ReadResource> {
  const key = { namespace: set.metadata.namespace ?? '', name: reference.name };
  if (reference.kind === 'ConfigMap') {
    const found = await ifPresent(read.get(configMaps, key, { signal }));
    return found === undefined ? missing(set, reference) : adopted(set, decode(reference, found), configMaps, found);
  }
  const found = await ifPresent(read.get(secrets, key, { signal }));
  if (found === undefined) return missing(set, reference);
  if (found.type !== secretTypes.resourceSet)
    return { reference, state: 'wrong-type', message: `Secret type of resource ${key.name} is not supported` };
  return adopted(set, decode(reference, found), secrets, found);
}

function missing(set: ObservedSet, reference: ResourceReference): ReadResource {
  const where = `${reference.kind} ${set.metadata.namespace ?? ''}/${reference.name}`;
  return {
    reference,
    state: 'missing',
    message: `${where} does not exist; create it, or remove it from spec.resources`,
  };
}

function adopted<T extends ConfigMap | Secret>(
  set: ObservedSet,
  read: ReadResource,
  resource: Resource<T>,
  before: Frozen<NoInfer<T>>,
): ReadResource {
  const plain: Frozen<KubeObject> = before;
  const after = edit(plain, (draft) => ensureOwnerReference(draft.metadata, ownerReference(set)));
  if (after === plain) return read;
  const { kind, name } = read.reference;
  const message = `Set ClusterResourceSet ${set.metadata.name ?? ''} as owner of ${kind} ${name}`;
  const change = { verb: 'patch', resource, before: plain, after, reason: 'Adopted', message } as const;
  return { ...read, adoption: change };
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
