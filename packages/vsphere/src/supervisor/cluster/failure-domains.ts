import { type Frozen, type KubeObject, labelSelectorFromObject } from '@slipway/kube';
import { isDeleting, keyOf, ReconcileError } from '@slipway/runtime';
import { availabilityZones, type SupervisorCluster, supervisorClusters, zones } from '../../api/index.js';
import { namespaceIndex } from '../indexes.js';
import { isServed } from '../platform.js';
import type { ClusterScope } from './scope.js';

export type FailureDomain = NonNullable<NonNullable<SupervisorCluster['status']>['failureDomains']>[number];

/** Returns the zones of the cluster's machines, sorted by name. Empty if the Supervisor has no zones. */
export async function findFailureDomains(scope: ClusterScope): Promise<readonly FailureDomain[]> {
  const domains = (await zonesOf(scope))
    .filter((zone) => !isDeleting(zone))
    .map(({ metadata }) => ({ name: metadata.name ?? '', controlPlane: isForControlPlane(scope, metadata.labels) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  if (domains.length > 0 && !domains.some(({ controlPlane }) => controlPlane))
    throw new ReconcileError(
      'NotReady',
      `the selector of the control plane does not match any of the ${domains.length} zones`,
      {
        retry: 'onChange',
        remedy: 'check spec.failureDomains.controlPlane.selector of the VSphereCluster',
      },
    );
  return domains;
}

async function zonesOf(scope: ClusterScope): Promise<readonly Frozen<KubeObject>[]> {
  const { context, features, vsphereCluster } = scope;
  const resource = features.NamespaceScopedZones ? zones : availabilityZones;
  if (!(await isServed(context.read, resource))) return [];
  const clusters = context.sources.sourceFor(supervisorClusters);
  const source = await context.follow({
    resource,
    map: ({ metadata }) =>
      resource.namespaced
        ? clusters.byIndex(namespaceIndex, metadata.namespace ?? '').map(keyOf)
        : [...clusters.list()].map(keyOf),
  });
  if (!resource.namespaced) return [...source.list()];
  return source.byIndex(namespaceIndex, vsphereCluster.metadata.namespace ?? '');
}

function isForControlPlane(
  { features, vsphereCluster }: ClusterScope,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const selector = vsphereCluster.spec?.failureDomains?.controlPlane?.selector;
  if (!features.NamespaceScopedZones || selector === undefined) return true;
  return labelSelectorFromObject(selector).matches(labels ?? {});
}
