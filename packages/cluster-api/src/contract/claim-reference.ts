import { type Frozen, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  ifPresent,
  ReconcileError,
  type ReconcileContext,
  type Resource,
  type Watch,
} from '@slipway/runtime';
import { labels } from '../api/index.js';
import { textAt } from './fields.js';
import { followReference, type ObjectReference } from './follow-reference.js';
import type { ProviderState } from './provider-state.js';

/** The provider object to adopt, and its future owner. */
export interface Claim {
  readonly reference: ObjectReference;
  readonly namespace: string;
  /** The kind of the object that holds the reference. */
  readonly resource: Resource;
  /** Maps a change of the provider object to the objects to reconcile. */
  readonly map: Watch['map'];
  readonly owner: OwnerReference;
  readonly clusterName: string;
  /** Selects the owner references to remove. */
  readonly isFormerOwner?: (owner: OwnerReference) => boolean;
}

type ClaimContext = Pick<ReconcileContext, 'sources' | 'follow' | 'read' | 'change' | 'signal'>;

/** Reads a referenced provider object and adopts it: sets the owner reference and the cluster name label. */
export async function claimReference(context: ClaimContext, claim: Claim): Promise<ProviderState> {
  const { reference, namespace, resource, map } = claim;
  const { read, signal } = context;
  const { kind, object } = await followReference(context, reference, namespace, resource, map);
  const key = { namespace, name: reference.name };
  // Read from the API server: the cache may not contain a new object yet, and a deletion must not conclude that the
  // object was deleted.
  const found = object ?? (await ifPresent(read.get(kind.resource, key, { signal })));
  if (found === undefined) return { type: 'missing' };
  const owned = owning(found, claim);
  if (owned === found) return { type: 'found', kind, object: found };
  const message = `Set ${claim.owner.kind} ${claim.owner.name} as owner of ${reference.kind} ${reference.name}`;
  const change = { verb: 'patch', resource: kind.resource, before: found, after: owned } as const;
  return { type: 'found', kind, object: await context.change({ ...change, reason: 'Adopted', message }) };
}

function owning(object: Frozen<KubeObject>, claim: Claim): Frozen<KubeObject> {
  const { clusterName, isFormerOwner = () => false } = claim;
  return edit(object, ({ metadata }) => {
    const owners = metadata.ownerReferences;
    if (owners?.some(isFormerOwner) === true)
      metadata.ownerReferences = owners.filter((owner) => !isFormerOwner(owner));
    try {
      ensureOwnerReference(metadata, claim.owner);
    } catch (error) {
      const what = `${object.kind} ${object.metadata.name ?? ''}`;
      throw new ReconcileError('AlreadyControlled', `${what} already has another controller: ${String(error)}`, {
        retry: 'later',
        remedy: `reference a separate object in each ${claim.owner.kind}`,
        cause: error,
      });
    }
    if (metadata.labels?.[labels.clusterName] !== clusterName)
      metadata.labels = { ...metadata.labels, [labels.clusterName]: clusterName };
  });
}

export interface ProviderFailure {
  readonly failureReason?: string;
  readonly failureMessage?: string;
}

/** Returns the terminal failure of a provider object, for v1beta1 clients. No decision depends on it. */
export function failureOf(object: Frozen<KubeObject>): ProviderFailure | undefined {
  const failureReason = textAt(object, 'status', 'failureReason');
  const message = textAt(object, 'status', 'failureMessage');
  if (failureReason === undefined && message === undefined) return undefined;
  const { group, version } = parseApiVersion(object.apiVersion);
  const what = `${group}/${version}, Kind=${object.kind} with name "${object.metadata.name ?? ''}"`;
  return {
    ...(failureReason && { failureReason }),
    ...(message && { failureMessage: `Failure detected from referenced resource ${what}: ${message}` }),
  };
}

interface DeprecatedStatus {
  deprecated?: { v1beta1?: { failureReason?: string; failureMessage?: string } };
}

/** Records a failure in the v1beta1 fields. Fields that the failure does not set are kept. */
export function noteFailure(status: DeprecatedStatus, failure: ProviderFailure): void {
  status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...failure } };
}
