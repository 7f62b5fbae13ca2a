import { clusters, machineSets } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import { isDeleting, ownerReference } from '@slipway/runtime';
import { mapiMachineSets } from '../../api/index.js';
import type { MigratedKind } from '../state/machine-objects.js';
import type { Observed } from './observe.js';

/** Who owns the mirror: the twin of who owns what it mirrors. */
export type MirrorOwner =
  | { readonly type: 'owned'; readonly reference: OwnerReference | undefined; readonly setName?: string }
  /** Its twin has to be made first. */
  | { readonly type: 'missing'; readonly message: string }
  /** Only a person can change it. */
  | { readonly type: 'unsupported'; readonly message: string };

type References = readonly Readonly<OwnerReference>[];

function isOf({ group, kind }: { readonly group: string; readonly kind: string }, owner: Readonly<OwnerReference>) {
  return owner.kind === kind && parseApiVersion(owner.apiVersion).group === group;
}

/** In Cluster API, what nobody else owns belongs to the Cluster. */
export function capiOwner({ kind }: MigratedKind, { mapi, capiSet, cluster }: Observed): MirrorOwner {
  const references: References = mapi?.metadata.ownerReferences ?? [];
  const [owner, ...others] = references;
  if (others.length > 0) return tooMany(references);
  if (owner === undefined)
    return cluster === undefined
      ? { type: 'missing', message: 'the Cluster of this cluster is not there yet' }
      : { type: 'owned', reference: ownerReference(cluster) };
  if (kind !== 'Machine' || !isOf(mapiMachineSets, owner)) return unsupported(owner);
  if (capiSet === undefined)
    return { type: 'missing', message: `MachineSet ${owner.name} has no twin in Cluster API yet` };
  return { type: 'owned', reference: ownerReference(capiSet, { controller: true }), setName: owner.name };
}

export function mapiOwner({ kind }: MigratedKind, { capi, mapiSet }: Observed): MirrorOwner {
  const references: References = (capi?.metadata.ownerReferences ?? []).filter((owner) => !isOf(clusters, owner));
  const [owner, ...others] = references;
  if (others.length > 0) return tooMany(references);
  if (owner === undefined) return { type: 'owned', reference: undefined };
  if (kind !== 'Machine' || !isOf(machineSets, owner)) return unsupported(owner);
  // Its user has given up Machine API for the set: then its machines have no owner there.
  if (mapiSet === undefined || isDeleting(mapiSet)) return { type: 'owned', reference: undefined };
  return { type: 'owned', reference: ownerReference(mapiSet, { controller: true }) };
}

function tooMany(references: References): MirrorOwner {
  const names = references.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  return { type: 'unsupported', message: `it has several owners, and may have one: ${names}` };
}

function unsupported({ kind, name }: Readonly<OwnerReference>): MirrorOwner {
  return { type: 'unsupported', message: `what ${kind} ${name} owns cannot be migrated` };
}

export function ownersWith(object: Frozen<KubeObject> | undefined, wanted: OwnerReference | undefined) {
  const there: References = object?.metadata.ownerReferences ?? [];
  if (wanted === undefined) return there.map((one) => ({ ...one }));
  const rest = there.filter(({ kind, name }) => kind !== wanted.kind || name !== wanted.name);
  return [...rest.map((one) => ({ ...one })), wanted];
}
