import { clusters, machineSets } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import { isDeleting, ownerReference } from '@slipway/runtime';
import { mapiMachineSets } from '../../api/index.js';
import type { MigratedKind } from '../state/machine-objects.js';
import type { Observed } from './observe.js';

/** Owner of a mirror: the counterpart of the owner of the authoritative resource. */
export type MirrorOwner =
  | { readonly type: 'owned'; readonly reference: OwnerReference | undefined; readonly setName?: string }
  /** The counterpart of the owner does not exist yet. */
  | { readonly type: 'missing'; readonly message: string }
  /** The owner is not supported. Only the user can change it. */
  | { readonly type: 'unsupported'; readonly message: string };

type References = readonly Readonly<OwnerReference>[];

function isOf({ group, kind }: { readonly group: string; readonly kind: string }, owner: Readonly<OwnerReference>) {
  return owner.kind === kind && parseApiVersion(owner.apiVersion).group === group;
}

/** Returns the owner in Cluster API. Resources without another owner are owned by the Cluster. */
export function capiOwner({ kind }: MigratedKind, { mapi, capiSet, cluster }: Observed): MirrorOwner {
  const references: References = mapi?.metadata.ownerReferences ?? [];
  const [owner, ...others] = references;
  if (others.length > 0) return tooMany(references);
  if (owner === undefined)
    return cluster === undefined
      ? { type: 'missing', message: 'Waiting for the Cluster object of this OpenShift cluster to be created' }
      : { type: 'owned', reference: ownerReference(cluster) };
  if (kind !== 'Machine' || !isOf(mapiMachineSets, owner)) return unsupported(owner);
  if (capiSet === undefined)
    return { type: 'missing', message: `MachineSet ${owner.name} has no Cluster API counterpart yet` };
  return { type: 'owned', reference: ownerReference(capiSet, { controller: true }), setName: owner.name };
}

export function mapiOwner({ kind }: MigratedKind, { capi, mapiSet }: Observed): MirrorOwner {
  const references: References = (capi?.metadata.ownerReferences ?? []).filter((owner) => !isOf(clusters, owner));
  const [owner, ...others] = references;
  if (others.length > 0) return tooMany(references);
  if (owner === undefined) return { type: 'owned', reference: undefined };
  if (kind !== 'Machine' || !isOf(machineSets, owner)) return unsupported(owner);
  // Without the Machine API mirror of the set, which the user deleted, the machines have no owner in Machine API.
  if (mapiSet === undefined || isDeleting(mapiSet)) return { type: 'owned', reference: undefined };
  return { type: 'owned', reference: ownerReference(mapiSet, { controller: true }) };
}

function tooMany(references: References): MirrorOwner {
  const names = references.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  return { type: 'unsupported', message: `it has several owners, but only one is supported: ${names}` };
}

function unsupported({ kind, name }: Readonly<OwnerReference>): MirrorOwner {
  return { type: 'unsupported', message: `machines owned by ${kind} ${name} cannot be migrated` };
}

export function ownersWith(object: Frozen<KubeObject> | undefined, desired: OwnerReference | undefined) {
  const existing: References = object?.metadata.ownerReferences ?? [];
  if (desired === undefined) return existing.map((one) => ({ ...one }));
  const rest = existing.filter(({ kind, name }) => kind !== desired.kind || name !== desired.name);
  return [...rest.map((one) => ({ ...one })), desired];
}
