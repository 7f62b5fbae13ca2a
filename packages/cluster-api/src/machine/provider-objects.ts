import {
  type Frozen,
  isReason,
  type KubeObject,
  type OwnerReference,
  parseApiVersion,
  type Thawed,
} from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  keyOf,
  ownerReference,
  patchObject,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { labels, machines } from '../api/index.js';
import {
  followReference,
  type ObjectReference,
  type ProviderKind,
  type ProviderState,
  textAt,
} from '../contract/index.js';
import { changeMachine, isControlPlane, type MachineScope, statusOf } from './machine-scope.js';

/** Reads an object of a provider that the machine refers to, and makes it the machine's own. */
export async function readProviderObject(scope: MachineScope, reference: ObjectReference): Promise<ProviderState> {
  const namespace = scope.machine.metadata.namespace ?? '';
  const { context, settings } = scope;
  const map = settings.mapProviderObject;
  const { kind, object } = await followReference(context, reference, namespace, machines as Resource, map);
  const key = { namespace, name: reference.name };
  // The cache may not know yet of what was just made; whoever deletes must not take that for gone.
  const found = object ?? (await getIfPresent(scope, kind.resource, key));
  if (found === undefined) return { type: 'missing' };
  const own = await claim(scope, kind, found);
  copyFailure(scope, own);
  return { type: 'found', kind, object: own };
}

async function getIfPresent(
  { context }: MachineScope,
  resource: Resource,
  key: { readonly namespace: string; readonly name: string },
): Promise<Frozen<KubeObject> | undefined> {
  try {
    return await context.client.get(resource, key, { signal: context.signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Who made the object owned it until there was a machine. From now on it goes when the machine goes. */
async function claim(scope: MachineScope, kind: ProviderKind, object: Frozen<KubeObject>): Promise<Frozen<KubeObject>> {
  const { client, signal } = scope.context;
  const after = edit(object, ({ metadata }) => {
    const owners = metadata.ownerReferences;
    if (owners?.some((owner) => isMaker(scope, owner)) === true)
      metadata.ownerReferences = owners.filter((owner) => !isMaker(scope, owner));
    own(scope, object, metadata);
    if (metadata.labels?.[labels.clusterName] !== scope.machine.spec.clusterName)
      metadata.labels = { ...metadata.labels, [labels.clusterName]: scope.machine.spec.clusterName };
  });
  return after === object ? object : patchObject(client, kind.resource, object, after, { signal });
}

function own(scope: MachineScope, object: Frozen<KubeObject>, metadata: Thawed<KubeObject>['metadata']): void {
  try {
    ensureOwnerReference(metadata, ownerReference(scope.machine, { controller: true }));
  } catch (error) {
    const { name } = keyOf(object);
    throw new ReconcileError('AlreadyControlled', `${object.kind} ${name} belongs to somebody else: ${String(error)}`, {
      retry: 'later',
      remedy: 'let each Machine refer to an object of its own',
      cause: error,
    });
  }
}

function isMaker({ cluster, machine }: MachineScope, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = parseApiVersion(apiVersion);
  if (group === machines.group && kind === 'MachineSet') return true;
  const controlPlane = isControlPlane(machine) ? cluster?.spec.controlPlaneRef : undefined;
  return controlPlane !== undefined && group === controlPlane.apiGroup && kind === controlPlane.kind;
}

/** Kept for clients of v1beta1: nothing is decided by it any more. */
function copyFailure(scope: MachineScope, object: Frozen<KubeObject>): void {
  const reason = textAt(object, 'status', 'failureReason');
  const message = textAt(object, 'status', 'failureMessage');
  if (reason === undefined && message === undefined) return;
  const { group, version } = parseApiVersion(object.apiVersion);
  const what = `${group}/${version}, Kind=${object.kind} with name "${object.metadata.name ?? ''}"`;
  setFailure(scope, reason, message && `Failure detected from referenced resource ${what}: ${message}`);
}

export function setFailure(scope: MachineScope, reason: string | undefined, message: string | undefined): void {
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    const v1beta1 = { ...status.deprecated?.v1beta1 };
    if (reason !== undefined) v1beta1.failureReason = reason;
    if (message !== undefined) v1beta1.failureMessage = message;
    status.deprecated = { ...status.deprecated, v1beta1 };
  });
}
