import { annotations, clusters, definitionsWatch, labels, machineDeployments } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { defineInfrastructureCluster } from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  hasAnnotation,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Sources,
  watch,
  type Watch,
} from '@slipway/runtime';
import {
  type VSphereCluster,
  vsphereClusterIdentities,
  vsphereClusters,
  vsphereConditions,
  vsphereDeploymentZones,
  vsphereFinalizers,
  vsphereMachines,
  vsphereMachineTemplates,
  vsphereV1Beta1Conditions,
  vsphereVms,
} from '../../api/index.js';
import { mirrorConditions } from '../../v1beta1.js';
import { clustersOfIdentity, clustersOfSecret, StandBy } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { isLoadBalancer } from '../vm/vm-parents.js';
import { ensureCluster, removeCluster } from './reconcile.js';
import { serverIndex } from './server-index.js';

const { vcenterAvailable, failureDomainsReady, clusterModulesReady } = vsphereConditions;
const v1beta1Types = {
  [vcenterAvailable]: vcenterAvailable,
  [failureDomainsReady]: vsphereV1Beta1Conditions.failureDomainsAvailable,
  [clusterModulesReady]: vsphereV1Beta1Conditions.clusterModulesAvailable,
};

export function createVSphereClusterController(
  context: ControllerContext,
  dependencies: VCenterDependencies,
): Controller {
  const { sources } = context;
  const standBy = new StandBy();
  return defineInfrastructureCluster<VSphereCluster>(
    {
      name: 'vspherecluster',
      resource: vsphereClusters,
      finalizer: vsphereFinalizers.vsphereCluster,
      conditions: {
        provisioned: vcenterAvailable,
        ready: [vcenterAvailable, failureDomainsReady, clusterModulesReady],
        optional: [failureDomainsReady, clusterModulesReady],
        others: Object.values(v1beta1Types),
      },
      // Ignore status updates of the Cluster: they are frequent and have no effect here.
      clusterFilter: ({ object, previous }) => object.metadata.generation !== previous?.metadata.generation,
      watches: watchesOf(sources),
      triggers: [
        () => standBy,
        (enqueue) =>
          dependencies.credentials.subscribe((secret) => {
            for (const key of clustersOfSecret(sources, dependencies.controllerNamespace, secret)) enqueue(key);
          }),
      ],
      ignores(vsphereCluster) {
        const isForeign = hasAnnotation(vsphereCluster, annotations.managedBy);
        if (isForeign) standBy.end(keyOf(vsphereCluster));
        return isForeign;
      },
      forget: (key) => Promise.resolve(standBy.end(key)),
      ensure: (scope) => ensureCluster(scope, dependencies, standBy),
      remove: (scope) => removeCluster(scope, dependencies),
      mirror: mirrorConditions(v1beta1Types),
    },
    context,
  );
}

function watchesOf(sources: Sources): Watch[] {
  const byLabel = ({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey[] => {
    const { namespace = '', labels: given } = metadata;
    const name = given?.[labels.clusterName];
    const reference =
      name === undefined ? undefined : sources.sourceFor(clusters).get({ namespace, name })?.spec.infrastructureRef;
    if (reference?.kind !== vsphereClusters.kind || reference.apiGroup !== vsphereClusters.group) return [];
    return [{ namespace, name: reference.name }];
  };
  const isBeingDeleted = (key: ObjectKey): boolean => {
    const vsphereCluster = sources.sourceFor(vsphereClusters).get(key);
    return vsphereCluster !== undefined && isDeleting(vsphereCluster);
  };
  return [
    watch(vsphereDeploymentZones, {
      map: ({ spec }) =>
        sources
          .sourceFor(vsphereClusters)
          .byIndex(serverIndex, spec.server ?? '')
          .map((one) => keyOf(one as Frozen<VSphereCluster>)),
    }),
    // A cluster that is being deleted waits for its last machine. Other clusters ignore the deletion of machines.
    watch(vsphereMachines, {
      map: (one) => byLabel(one).filter(isBeingDeleted),
      filter: ({ type }) => type === 'deleted',
    }),
    watch(vsphereVms, { map: byLabel, filter: ({ type, object }) => type === 'deleted' && isLoadBalancer(object) }),
    watch(machineDeployments, { map: byLabel, filter: ({ type }) => type !== 'updated' }),
    watch(vsphereMachineTemplates, { map: () => [] }),
    watch(vsphereClusterIdentities, { map: ({ metadata }) => clustersOfIdentity(sources, metadata.name ?? '') }),
    definitionsWatch,
  ];
}
