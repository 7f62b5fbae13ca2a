import {
  annotations,
  type Cluster,
  clusterReasons,
  clusters,
  getV1beta1Condition,
  machines,
  machineSets,
  setV1beta1Condition,
  type V1beta1Conditioned,
  type V1beta1Target,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  type Controller,
  customResourceDefinitions,
  edit,
  ifPresent,
  isConditionTrue,
  isDeleting,
  type ReconcileContext,
  setCondition,
  type Source,
} from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import { mapiMachines, mapiMachineSets } from '../api/index.js';
import type { MeasuredResources } from '../monitoring/metrics.js';
import { infrastructureGroup, managedByUs, namespaces } from '../names.js';
import { infraClusterKind } from '../platforms/index.js';
import type { ActiveScope } from '../scope/scope.js';

/** Creates the Cluster that represents this cluster, and sets its control plane to initialized. */
export function createCoreClusterController(version: string, measured: MeasuredResources): Controller {
  const names = [`${clusters.plural}.${clusters.group}`];
  return createReportingController({
    name: 'CoreClusterController',
    version,
    watches: [
      concerns(
        customResourceDefinitions,
        ({ name }) => names.includes(name) || name.endsWith(`clusters.${infrastructureGroup}`),
      ),
    ],
    async run(scope, context) {
      const { read, clock, signal } = context;
      const kind = infraClusterKind(scope.platform);
      const infra = await read.resourceFor({ group: infrastructureGroup, kind, version: scope.platform.version });
      if (infra === undefined) return { type: 'waiting', message: `the CRD of ${kind}` };
      const served = await read.resourceFor({ group: clusters.group, kind: 'Cluster', version: clusters.version });
      if (served === undefined) return { type: 'waiting', message: 'the CRD of Cluster' };
      const key = { namespace: namespaces.clusterApi, name: scope.infraName };
      await measure(context, measured);
      const infraClusters = await context.follow(concerns(infra));
      const source = (await context.follow(concerns(clusters))) as unknown as Source<Cluster>;
      const existing = source.get(key) ?? (await ifPresent(read.get(clusters, key, { signal })));
      if (existing !== undefined && isDeleting(existing)) return { type: 'success' };
      // The Cluster is created after the InfraCluster: otherwise the Cluster controller would report a missing InfraCluster.
      if (existing === undefined && infraClusters.get(key) === undefined)
        return { type: 'waiting', message: `${kind} ${scope.infraName}` };
      const cluster =
        existing ??
        (await context.change({
          verb: 'create',
          resource: clusters,
          object: newCluster(scope),
          reason: 'ClusterMissing',
          message: `Created Cluster ${scope.infraName} for this cluster`,
        }));
      const initialized = withControlPlane(cluster, clock.now());
      await context.change({
        verb: 'status',
        resource: clusters,
        before: cluster,
        after: initialized,
        ownedConditions: ['ControlPlaneInitialized'],
        reason: 'ControlPlaneInitialized',
        message: 'Marked the control plane as initialized: this operator runs on it',
      });
      return { type: 'success' };
    },
  });
}

/** Registers resources for metrics once they are served. */
async function measure(context: ReconcileContext, measured: MeasuredResources): Promise<void> {
  for (const resource of [machines, machineSets, mapiMachines, mapiMachineSets]) {
    await context.follow({ resource, map: () => [] });
    measured.add(resource);
  }
}

function newCluster({ platform, infraName, endpoint }: ActiveScope): Cluster {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: {
      namespace: namespaces.clusterApi,
      name: infraName,
      annotations: { [annotations.managedBy]: managedByUs },
    },
    spec: {
      infrastructureRef: { apiGroup: infrastructureGroup, kind: infraClusterKind(platform), name: infraName },
      controlPlaneEndpoint: { ...endpoint },
    },
  };
}

/** Sets the control plane to initialized, which is required to link Nodes: no control plane object exists that would set it. */
function withControlPlane(cluster: Frozen<Cluster>, nowMs: number): Frozen<Cluster> {
  const type = 'ControlPlaneInitialized';
  // Compared with True: the Cluster controller may have set False first. Once True, the condition stays True.
  const isReported =
    isConditionTrue(cluster, type) &&
    getV1beta1Condition(cluster as V1beta1Conditioned, type)?.status === 'True' &&
    cluster.status?.initialization?.controlPlaneInitialized === true;
  if (isReported) return cluster;
  return edit(cluster, (draft) => {
    draft.status ??= {};
    draft.status.initialization = { ...draft.status.initialization, controlPlaneInitialized: true };
    setCondition(draft as ConditionTarget, { type, status: 'True', reason: clusterReasons.initialized }, nowMs);
    setV1beta1Condition(draft as V1beta1Target, { type, status: 'True' }, nowMs);
  });
}
