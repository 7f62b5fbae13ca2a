import { clusters, followReference, objectAt } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { mapToOwner, type ObjectKey } from '@slipway/runtime';
import { supervisorClusters } from '../../api/index.js';
import type { ClusterScope } from './scope.js';

/**
 * Returns the load balancer addresses that the API server certificate would not contain. A dual-stack cluster listens on two
 * addresses: before the first machine is created, certSANs of the control plane must list both, and its controller must have
 * observed that spec.
 */
export async function missingCertificateNames(
  scope: ClusterScope,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const { context, cluster } = scope;
  const reference = cluster.spec.controlPlaneRef;
  if (reference === undefined) return [];
  const { namespace = '' } = cluster.metadata;
  const wakes = (controlPlane: Frozen<KubeObject>): ObjectKey[] => infrastructureOfOwner(scope, controlPlane);
  const { object } = await followReference(context, reference, namespace, clusters, wakes);
  if (object === undefined || !isObserved(object)) return addresses;
  const server = objectAt(object, 'spec', 'kubeadmConfigSpec', 'clusterConfiguration', 'apiServer');
  const { certSANs = [] } = (server ?? {}) as { readonly certSANs?: readonly string[] };
  return addresses.filter((address) => !certSANs.includes(address));
}

function infrastructureOfOwner({ context }: ClusterScope, controlPlane: Frozen<KubeObject>): ObjectKey[] {
  return [...mapToOwner(clusters)(controlPlane)].flatMap((key) => {
    const infrastructure = context.sources.sourceFor(clusters).get(key)?.spec.infrastructureRef;
    if (infrastructure?.apiGroup !== supervisorClusters.group) return [];
    return [{ namespace: key.namespace, name: infrastructure.name }];
  });
}

interface Observed {
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly observedGeneration?: number }[];
}

/**
 * Returns whether the controller has observed the current spec. Older releases set observedGeneration in conditions only, so any
 * condition is sufficient.
 */
function isObserved(controlPlane: Frozen<KubeObject>): boolean {
  const { observedGeneration, conditions = [] } = ((controlPlane as { readonly status?: Observed }).status ??
    {}) as Observed;
  const { generation = 0 } = controlPlane.metadata;
  return [observedGeneration, ...conditions.map((one) => one.observedGeneration)].some(
    (observed) => observed !== undefined && observed >= generation,
  );
}
