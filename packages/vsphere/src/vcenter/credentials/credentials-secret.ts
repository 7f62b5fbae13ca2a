import { type Frozen, parseApiVersion } from '@slipway/kube';
import {
  addFinalizer,
  edit,
  ensureOwnerReference,
  ifPresent,
  isSameOwner,
  type ObjectKey,
  ownerReference,
  type ReconcileContext,
  removeFinalizer,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { vcenterGroup, vsphereFinalizers } from '../../api/index.js';
import { CredentialsError } from './credentials-error.js';

type Owner = Parameters<typeof ownerReference>[0];
const ownerKinds = ['VSphereCluster', 'VSphereClusterIdentity'];

/** Another object owns the Secret, and its deletion would delete the Secret. */
export class SecretInUse extends CredentialsError {}

/** Takes ownership of a credentials Secret and adds a finalizer, so that it exists as long as it is needed. */
export async function claimSecret(
  context: Pick<ReconcileContext, 'read' | 'change' | 'signal'>,
  key: ObjectKey,
  owner: Owner,
): Promise<void> {
  const secret = await ifPresent(context.read.get(secrets, key, { signal: context.signal }));
  if (secret === undefined) {
    throw new CredentialsError(
      `Secret ${key.namespace}/${key.name} with the credentials for vCenter not found`,
      'create it with the keys username and password',
    );
  }
  const own = ownerReference(owner);
  const other = ownersOf(secret).find((reference) => !isSameOwner(reference, own));
  if (other !== undefined) {
    throw new SecretInUse(
      `another cluster has set the OwnerRef for Secret ${key.namespace}/${key.name}: ${other.kind} ${other.name}`,
      'create a separate Secret for each cluster, or share one with a VSphereClusterIdentity',
    );
  }
  const after = edit(secret, (draft) => {
    ensureOwnerReference(draft.metadata, own);
    addFinalizer(draft.metadata, vsphereFinalizers.credentials);
  });
  await context.change({
    verb: 'patch',
    resource: secrets,
    before: secret,
    after,
    reason: 'CredentialsInUse',
    message: `Set ${own.kind} ${own.name} as owner of the Secret with its credentials`,
  });
}

/** Returns the owners of a Secret by group and kind. Versions are ignored. */
function ownersOf(secret: Frozen<Secret>) {
  return (secret.metadata.ownerReferences ?? []).filter(
    ({ apiVersion, kind }) => parseApiVersion(apiVersion).group === vcenterGroup && ownerKinds.includes(kind),
  );
}

/** Deletes the Secret together with its owner. A Secret with another owner is kept. */
export async function deleteSecret(
  context: Pick<ReconcileContext, 'read' | 'changeAll' | 'signal'>,
  key: ObjectKey,
  owner: Owner,
): Promise<void> {
  const secret = await ifPresent(context.read.get(secrets, key, { signal: context.signal }));
  if (secret === undefined) return;
  const own = ownerReference(owner);
  if (!ownersOf(secret).some((reference) => isSameOwner(reference, own))) return;
  const cause = { reason: 'OwnerDeleted', message: `${own.kind} ${own.name} no longer needs the credentials` };
  const after = edit(secret, (draft) => removeFinalizer(draft.metadata, vsphereFinalizers.credentials));
  await context.changeAll([
    { verb: 'patch', resource: secrets, before: secret, after, ...cause },
    { verb: 'delete', resource: secrets, key, options: { preconditions: { uid: secret.metadata.uid } }, ...cause },
  ]);
}
