import { deepEqual, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  edit,
  ifPresent,
  keyOf,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  type Resource,
  type Role,
  type RoleBinding,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
} from '@slipway/runtime';
import { type ProviderServiceAccount, vsphereLabels } from '../../api/index.js';
import { controlledBy, desiredObjects } from './desired-objects.js';

/** Makes what the account asks for in the Supervisor. The data of its token; undefined while the server makes it. */
export async function ensureAccount(
  context: ReconcileContext,
  account: Frozen<ProviderServiceAccount>,
  clusterName: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const wanted = desiredObjects(account, clusterName);
  await ensure(context, serviceAccounts, wanted.serviceAccount);
  const secret = await ensure(context, secrets, wanted.tokenSecret);
  await ensureRole(context, wanted.role);
  await ensureBinding(context, wanted.roleBinding);
  const { data } = secret;
  return data?.['token'] === undefined ? undefined : data;
}

/** Nobody can give rights that he does not have himself. */
async function ensureRole(context: ReconcileContext, wanted: Role): Promise<void> {
  try {
    await ensure(context, roles, wanted, (draft) => {
      draft.rules = wanted.rules ?? [];
    });
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    throw new ReconcileError('NotReady', error.message, {
      retry: 'later',
      cause: error,
      remedy: `give the manager these rights by a ClusterRole with the label ${vsphereLabels.aggregateToManager}: "true"`,
    });
  }
}

/** Labels and annotations are added to what is there; who made it before no longer controls it. */
async function ensure<T extends KubeObject>(
  { client, signal }: ReconcileContext,
  resource: Resource<T>,
  wanted: T,
  fill: (draft: T) => void = () => undefined,
): Promise<Frozen<T>> {
  const plain: KubeObject = wanted;
  try {
    // Most are there; but whoever asks first and then makes, meets others in between.
    const current = await ifPresent(client.get(resource, keyOf(plain), { signal }));
    if (current === undefined) return await client.create(resource, wanted, { signal });
    return await adopt(current);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return adopt(await client.get(resource, keyOf(plain), { signal }));
  }

  async function adopt(current: Frozen<T>): Promise<Frozen<T>> {
    const after = edit(current as object, (thawed) => {
      const draft = thawed as T;
      const { metadata } = draft as KubeObject;
      const { labels, annotations, ownerReferences = [] } = plain.metadata;
      if (labels !== undefined) metadata.labels = { ...metadata.labels, ...labels };
      if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
      const [owner] = ownerReferences;
      if (owner !== undefined) metadata.ownerReferences = controlledBy(metadata.ownerReferences ?? [], owner);
      fill(draft);
    });
    return patchObject(client, resource, current, after as Frozen<T>, { signal });
  }
}

/** What a binding binds to can never change: another one takes its place. */
async function ensureBinding(context: ReconcileContext, wanted: RoleBinding): Promise<void> {
  const { client, signal } = context;
  const current = await ifPresent(client.get(roleBindings, keyOf(wanted), { signal }));
  if (current !== undefined && !deepEqual(current.roleRef, wanted.roleRef))
    await ifPresent(client.delete(roleBindings, keyOf(wanted), { signal }));
  await ensure(context, roleBindings, wanted, (draft) => {
    draft.subjects = wanted.subjects ?? [];
  });
}
