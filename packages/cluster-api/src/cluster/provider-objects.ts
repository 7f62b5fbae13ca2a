import { type Frozen, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  isDeleting,
  ownerReference,
  patchObject,
  ReconcileError,
  type Resource,
  setV1beta1Condition,
} from '@slipway/runtime';
import { clusters, labels } from '../api/index.js';
import {
  followReference,
  type ObjectReference,
  type ProviderKind,
  providerReadyV1beta1,
  type ProviderState,
  textAt,
} from '../contract/index.js';
import { changeCluster, changeV1beta1, type ClusterScope, statusOf } from './cluster-scope.js';

/** Reads an object of a provider that the Cluster refers to, and makes it one of the Cluster's. */
export async function readProviderObject(scope: ClusterScope, reference: ObjectReference): Promise<ProviderState> {
  const { context, key } = scope;
  const map = scope.settings.mapProviderObject;
  const { kind, object } = await followReference(context, reference, key.namespace, clusters as Resource, map);
  // The cache may not know yet of what was just made; whoever deletes must not take that for gone.
  const found = object ?? (await getIfPresent(scope, kind.resource, reference.name));
  if (found === undefined) return { type: 'missing' };
  const own = await claim(scope, kind, found);
  copyFailure(scope, own);
  return { type: 'found', kind, object: own };
}

async function getIfPresent(
  { context, key }: ClusterScope,
  resource: Resource,
  name: string,
): Promise<Frozen<KubeObject> | undefined> {
  try {
    return await context.client.get(resource, { namespace: key.namespace, name }, { signal: context.signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Only a topology controls what it made; objects that somebody else made may have a controller of their own. */
async function claim(scope: ClusterScope, kind: ProviderKind, object: Frozen<KubeObject>): Promise<Frozen<KubeObject>> {
  const { cluster, context } = scope;
  const name = scope.key.name;
  const owner = ownerReference(cluster, { controller: cluster.spec.topology !== undefined });
  const after = edit(object, ({ metadata }) => {
    try {
      ensureOwnerReference(metadata, owner);
    } catch (error) {
      const what = `${object.kind} ${object.metadata.name ?? ''}`;
      throw new ReconcileError('AlreadyControlled', `${what} belongs to somebody else: ${String(error)}`, {
        retry: 'later',
        remedy: 'let each Cluster refer to an object of its own',
        cause: error,
      });
    }
    if (metadata.labels?.[labels.clusterName] !== name)
      metadata.labels = { ...metadata.labels, [labels.clusterName]: name };
  });
  if (after === object) return object;
  return patchObject(context.client, kind.resource, object, after, { signal: context.signal });
}

/** Kept for clients of v1beta1: nothing is decided by it any more. */
function copyFailure(scope: ClusterScope, object: Frozen<KubeObject>): void {
  const failureReason = textAt(object, 'status', 'failureReason');
  const message = textAt(object, 'status', 'failureMessage');
  if (failureReason === undefined && message === undefined) return;
  const { group, version } = parseApiVersion(object.apiVersion);
  const what = `${group}/${version}, Kind=${object.kind} with name "${object.metadata.name ?? ''}"`;
  const failureMessage = message && `Failure detected from referenced resource ${what}: ${message}`;
  changeCluster(scope, (draft) => {
    const status = statusOf(draft);
    const v1beta1 = {
      ...status.deprecated?.v1beta1,
      ...(failureReason && { failureReason }),
      ...(failureMessage && { failureMessage }),
    };
    status.deprecated = { ...status.deprecated, v1beta1 };
  });
}

/** The deprecated condition of a part, as the part tells it itself or else as its flag does. */
export function mirrorReady(
  scope: ClusterScope,
  type: 'InfrastructureReady' | 'ControlPlaneReady',
  object: Frozen<KubeObject>,
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const deleting = isDeleting(scope.cluster);
  const reason = deleting ? 'Deleting' : waitingReason;
  const fallback =
    flag && !deleting ? ({ status: 'True' } as const) : ({ status: 'False', severity: 'Info', reason } as const);
  const { lastTransitionTime: _time, ...told } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...told, type }, scope.nowMs));
}
