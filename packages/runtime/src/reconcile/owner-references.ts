import { parseApiVersion, type Frozen, type KubeObject, type OwnerReference } from '@slipway/kube';

type Reference = Readonly<OwnerReference>;
type Owner = Pick<Frozen<KubeObject>, 'apiVersion' | 'kind' | 'metadata'>;

export function ownerReference(owner: Owner, options: { readonly controller?: boolean } = {}): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  const reference: OwnerReference = { apiVersion: owner.apiVersion, kind: owner.kind, name, uid };
  if (options.controller !== true) return reference;
  return { ...reference, controller: true, blockOwnerDeletion: true };
}

/**
 * Returns whether two references have the same owner, by group, kind and name. The API version may differ, and so may the uid if
 * the owner was restored from a backup.
 */
export function isSameOwner(left: Reference, right: Reference): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    parseApiVersion(left.apiVersion).group === parseApiVersion(right.apiVersion).group
  );
}

/** Adds or updates a reference in a draft's metadata. Throws for a second controller, which the server would reject. */
export function ensureOwnerReference(metadata: { ownerReferences?: OwnerReference[] }, desired: OwnerReference): void {
  const current = metadata.ownerReferences ?? [];
  const index = current.findIndex((reference) => isSameOwner(reference, desired));
  const other = current.find((reference, place) => reference.controller === true && place !== index);
  if (desired.controller === true && other !== undefined)
    throw new TypeError(`object is already controlled by ${other.kind} ${other.name}`);
  if (index < 0) metadata.ownerReferences = [...current, desired];
  else if (!sameReference(current[index] as Reference, desired))
    metadata.ownerReferences = current.map((reference, place) => (place === index ? desired : reference));
}

export function removeOwnerReference(metadata: { ownerReferences?: OwnerReference[] }, removed: Reference): void {
  const current = metadata.ownerReferences;
  if (current?.some((reference) => isSameOwner(reference, removed)) !== true) return;
  metadata.ownerReferences = current.filter((reference) => !isSameOwner(reference, removed));
}

export function controllerOf(object: Pick<Frozen<KubeObject>, 'metadata'>): Reference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Returns whether `owner` is the controller of `object`, by uid. */
export function isControlledBy(object: Pick<Frozen<KubeObject>, 'metadata'>, owner: Owner): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

export function isOwnedBy(object: Pick<Frozen<KubeObject>, 'metadata'>, owner: Owner): boolean {
  const desired = ownerReference(owner);
  return object.metadata.ownerReferences?.some((reference) => isSameOwner(reference, desired)) === true;
}

function sameReference(left: Reference, right: Reference): boolean {
  return (
    left.apiVersion === right.apiVersion &&
    left.uid === right.uid &&
    left.controller === right.controller &&
    left.blockOwnerDeletion === right.blockOwnerDeletion
  );
}
