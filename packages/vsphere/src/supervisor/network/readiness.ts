import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Conditioned,
  ensureOwnerReference,
  getCondition,
  mapToOwner,
  ownerReference,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { supervisorClusters } from '../../api/index.js';
import { apiVersionOf, ensureObject, isServed } from '../platform.js';
import { networkNotReady, type NetworkScope } from './network-provider.js';

/** Ensures the network object of a cluster. Changes of the object trigger a reconcile of the cluster. */
export async function ensureClusterNetwork<T extends KubeObject>(
  scope: NetworkScope,
  resource: Resource<T>,
  name: string,
  fill: (draft: T) => void,
): Promise<Frozen<T>> {
  const { context, vsphereCluster } = scope;
  const kind = resource;
  await requireServed(scope, kind);
  const { namespace = '' } = vsphereCluster.metadata;
  const source = await context.follow({ resource: kind, map: mapToOwner(supervisorClusters) });
  const current = source.get({ namespace, name });
  const empty: KubeObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { namespace, name } };
  return ensureObject(
    context,
    resource,
    current as Frozen<T> | undefined,
    empty as T,
    (draft) => {
      ensureOwnerReference((draft as KubeObject).metadata, ownerReference(vsphereCluster));
      fill(draft);
    },
    {
      reason: 'NetworkRequired',
      message: `Requested ${kind.kind} ${name} for VSphereCluster ${vsphereCluster.metadata.name ?? ''}`,
    },
  );
}

export async function requireServed({ context }: NetworkScope, resource: Resource): Promise<void> {
  if (await isServed(context.read, resource)) return;
  const { plural, group } = resource;
  throw new ReconcileError(networkNotReady, `CRD ${plural}.${group} is not installed`, {
    retry: 'later',
    remedy: 'check --network-provider, or spec.network.provider of the VSphereCluster',
  });
}

/** Throws until the Ready condition of the network is true. Until then, the network cannot be used. */
export function requireReady(network: Frozen<KubeObject>): void {
  const ready = getCondition(network as Conditioned, 'Ready');
  if (ready?.status === 'True') return;
  const name = `${network.kind} ${network.metadata.name ?? ''}`;
  const why = ready === undefined ? 'has no Ready condition yet' : `is not ready: ${ready.message || ready.reason}`;
  throw new ReconcileError(networkNotReady, `${name} ${why}`, { retry: 'onChange' });
}
