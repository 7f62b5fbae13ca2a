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

/** Another owner holds the Secret: deleting that one would take it away from us. */
export class SecretInUse extends CredentialsError {}

/** Makes a Secret with credentials ours, so that it stays until we are done with it. */
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
      'give each cluster a Secret of its own, or share one by a VSphereClusterIdentity',
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
    message: `${own.kind} ${own.name} uses the credentials and owns the Secret`,
  });
}

/** By group and kind, whatever version they were named by. */
function ownersOf(secret: Frozen<Secret>) {
  return (secret.metadata.ownerReferences ?? []).filter(
    ({ apiVersion, kind }) => parseApiVersion(apiVersion).group === vcenterGroup && ownerKinds.includes(kind),
  );
}

/** Lets the Secret go with its owner. One that belongs to somebody else stays. */
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
