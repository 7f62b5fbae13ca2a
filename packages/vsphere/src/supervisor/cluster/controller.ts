import { clusters, definitionsWatch, labels, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ClusterProgress,
  type ClusterScope as KitScope,
  type DeletingClusterScope,
  defineInfrastructureCluster,
  type RemovalProgress,
} from '@slipway/provider-kit';
import {
  type Conditioned,
  type Controller,
  type ControllerContext,
  getCondition,
  mapToOwner,
  type ObjectKey,
  releaseFinalizer,
  type Sources,
  wait,
  watch,
} from '@slipway/runtime';
import {
  type SupervisorCluster,
  supervisorClusters,
  type SupervisorMachine,
  supervisorMachines,
  vsphereConditions,
  vsphereFinalizers,
  vsphereV1Beta1Conditions,
} from '../../api/index.js';
import { mirrorConditions } from '../../v1beta1.js';
import type { SupervisorDependencies } from '../dependencies.js';
import { legacyClusterFinalizer } from '../names.js';
import { networkProviderOf } from '../network/index.js';
import { addressOf } from './endpoint.js';
import { runPhases } from './phases.js';

const {
  resourcePolicyReady,
  networkReady,
  loadBalancerReady,
  failureDomainsReady,
  providerServiceAccountsReady,
  serviceDiscoveryReady,
} = vsphereConditions;
const { clusterNetworkReady } = vsphereV1Beta1Conditions;
const own = [resourcePolicyReady, networkReady, loadBalancerReady, failureDomainsReady];
const foreign = [providerServiceAccountsReady, serviceDiscoveryReady];

/** Reconciles a cluster of a Supervisor: its failure domains, its network and its endpoint. */
export function createSupervisorClusterController(
  context: ControllerContext,
  dependencies: SupervisorDependencies,
): Controller {
  const toOwner = mapToOwner(supervisorClusters);
  const { virtualMachineServices, virtualMachineSetResourcePolicies } = dependencies.platform;
  return defineInfrastructureCluster<SupervisorCluster>(
    {
      name: 'supervisor-vspherecluster',
      resource: supervisorClusters,
      finalizer: vsphereFinalizers.supervisorCluster,
      conditions: {
        provisioned: resourcePolicyReady,
        ready: [...own, ...foreign],
        optional: own,
        foreign,
        others: [clusterNetworkReady],
      },
      watches: [
        watch(supervisorMachines, {
          map: (machine) => clusterOfMachine(context.sources, machine),
          // Only changed addresses matter: without a load balancer, the endpoint is the address of a machine.
          filter: ({ object, previous }) => previous === undefined || addressOf(object) !== addressOf(previous),
        }),
        definitionsWatch,
        { resource: virtualMachineServices, map: toOwner },
        { resource: virtualMachineSetResourcePolicies, map: toOwner },
      ],
      ensure: (scope) => ensureCluster(scope, dependencies),
      remove: removeCluster,
      // Failure domains are missing here, because the v1beta1 API has no condition for them.
      mirror: mirrorConditions({
        [resourcePolicyReady]: resourcePolicyReady,
        [networkReady]: clusterNetworkReady,
        [loadBalancerReady]: loadBalancerReady,
      }),
    },
    context,
  );
}

function clusterOfMachine(sources: Sources, { metadata }: Frozen<SupervisorMachine>): ObjectKey[] {
  const { namespace = '', labels: given = {} } = metadata;
  if (!Object.hasOwn(given, labels.controlPlane)) return [];
  const cluster = sources.sourceFor(clusters).get({ namespace, name: given[labels.clusterName] ?? '' });
  const reference = cluster?.spec.infrastructureRef;
  return reference?.apiGroup === supervisorClusters.group ? [{ namespace, name: reference.name }] : [];
}

async function ensureCluster(
  { context, cluster, infraCluster: vsphereCluster }: KitScope<SupervisorCluster>,
  dependencies: SupervisorDependencies,
): Promise<ClusterProgress<SupervisorCluster>> {
  await releaseFinalizer(context, supervisorClusters, vsphereCluster, legacyClusterFinalizer);
  const { features, networkProvider } = dependencies;
  const provider = networkProviderOf(vsphereCluster, { networkProvider, perCluster: features.ClusterNetworkProvider });
  if (provider !== undefined) return runPhases({ context, dependencies, cluster, vsphereCluster, features, provider });
  const outcome = wait({ reason: 'WaitingForNetworkProvider', message: 'Waiting for spec.network.provider to be set' });
  return { isProvisioned: false, conditions: [], outcome };
}

/** Removes a cluster. Garbage collection deletes the objects that the cluster owns after its machines. */
async function removeCluster({
  context,
  infraCluster: vsphereCluster,
}: DeletingClusterScope<SupervisorCluster>): Promise<RemovalProgress<SupervisorCluster> | undefined> {
  await releaseFinalizer(context, supervisorClusters, vsphereCluster, legacyClusterFinalizer);
  const reason = reasons.deleting;
  const isReported = own.every((type) => getCondition(vsphereCluster as Conditioned, type)?.reason === reason);
  if (isReported) return undefined;
  const message = 'Reporting the deletion before the finalizer is removed';
  return {
    reason,
    message,
    conditions: own.map((type) => ({ type, status: 'False', reason, message: '' })),
    outcome: wait({ reason, message }),
  };
}
