import { deepEqual, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  edit,
  ifPresent,
  keyOf,
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

type Context = Pick<ReconcileContext, 'read' | 'change' | 'signal'>;

/** Ensures the objects of the account in the Supervisor. Returns the token data, or undefined until the token exists. */
export async function ensureAccount(
  context: Context,
  account: Frozen<ProviderServiceAccount>,
  clusterName: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const desired = desiredObjects(account, clusterName);
  await ensure(context, serviceAccounts, desired.serviceAccount);
  const secret = await ensure(context, secrets, desired.tokenSecret);
  await ensureRole(context, desired.role);
  await ensureBinding(context, desired.roleBinding);
  const { data } = secret;
  return data?.['token'] === undefined ? undefined : data;
}

/** Ensures the Role. The manager can grant only permissions that it has itself, because RBAC prevents privilege escalation. */
async function ensureRole(context: Context, desired: Role): Promise<void> {
  try {
    await ensure(context, roles, desired, (draft) => {
      draft.rules = desired.rules ?? [];
    });
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    throw new ReconcileError('NotReady', error.message, {
      retry: 'later',
      cause: error,
      remedy: `grant the manager these permissions with a ClusterRole that has the label ${vsphereLabels.aggregateToManager}: "true"`,
    });
  }
}

/**
 * Creates the object, or adds labels, annotations and the controller reference to an existing one. A previous controller is
 * replaced.
 */
async function ensure<T extends KubeObject>(
  context: Context,
  resource: Resource<T>,
  desired: T,
  fill: (draft: T) => void = () => undefined,
): Promise<Frozen<T>> {
  const plain: KubeObject = desired;
  const { read, signal } = context;
  const key = keyOf(plain);
  const cause = {
    reason: 'AccessRequired',
    message: `Granted the ProviderServiceAccount its permissions with ${resource.kind} ${key.name}`,
  };
  // The object is read before it is created, because it usually exists.
  const existing = await ifPresent(read.get(resource, key, { signal }));
  if (existing !== undefined) return adopt(existing);
  try {
    return await context.change({ verb: 'create', resource, object: desired, ...cause });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return adopt(await read.get(resource, key, { signal }));
  }

  function adopt(before: Frozen<T>): Promise<Frozen<T>> {
    const after = edit(before as object, (thawed) => {
      const draft = thawed as T;
      const { metadata } = draft as KubeObject;
      const { labels, annotations, ownerReferences = [] } = plain.metadata;
      if (labels !== undefined) metadata.labels = { ...metadata.labels, ...labels };
      if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
      const [owner] = ownerReferences;
      if (owner !== undefined) metadata.ownerReferences = controlledBy(metadata.ownerReferences ?? [], owner);
      fill(draft);
    });
    return context.change({ verb: 'patch', resource, before, after: after as Frozen<T>, ...cause });
  }
}

/** Ensures the RoleBinding. Its roleRef is immutable, so a binding to another role is deleted and created again. */
async function ensureBinding(context: Context, desired: RoleBinding): Promise<void> {
  const { read, signal } = context;
  const key = keyOf(desired);
  const current = await ifPresent(read.get(roleBindings, key, { signal }));
  if (current !== undefined && !deepEqual(current.roleRef, desired.roleRef))
    await context.change({
      verb: 'delete',
      resource: roleBindings,
      key,
      reason: 'RoleChanged',
      message: `Deleted RoleBinding ${key.name}: it binds to another role`,
    });
  await ensure(context, roleBindings, desired, (draft) => {
    draft.subjects = desired.subjects ?? [];
  });
}
