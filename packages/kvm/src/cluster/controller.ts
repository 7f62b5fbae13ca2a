import { annotations, ensureAddressPool, inClusterIpPools, keysOfCluster, labels } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type ClusterProgress,
  type ClusterScope,
  type DeletingClusterScope,
  defineInfrastructureCluster,
  type RemovalProgress,
  type ReportedCondition,
} from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  hasAnnotation,
  type ObjectKey,
  type Outcome,
  ReconcileError,
  wait,
  watch,
} from '@slipway/runtime';
import { type KVMCluster, kvmClusters, kvmConditions, kvmFinalizers, kvmMachines, kvmReasons } from '../api/index.js';
import { addressPoolSpec, allocatesAddresses } from '../machine/network-plan.js';
import { type BackendName, type Backends, backendOf } from '../machine/vm-service.js';
import { mirrorStatus, pausingOf, withFailureEvent } from '../report.js';
import type { EndpointProgress, EndpointService, ExposureType } from './endpoint-service.js';
import { machinesOf, membersOf, reportAttachment } from './members.js';

export interface ClusterDependencies extends Backends {
  readonly endpoints: readonly EndpointService[];
}

type Progress = ClusterProgress<KVMCluster>;

const { networkReady, controlPlaneEndpointReady, loadBalancerReady, namespaceReady } = kvmConditions;
const checkAgainMs = 10_000;

/** Reconciles the infrastructure that the machines of a cluster share: the network and the control plane endpoint. */
export function createKVMClusterController(
  dependencies: ClusterDependencies,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  const { endpoints } = dependencies;
  // Machines are mapped to their cluster by label, because the Cluster may be deleted before its machines.
  const mapToCluster = ({ metadata }: Frozen<KubeObject>): ObjectKey[] => {
    const name = metadata.labels?.[labels.clusterName] ?? '';
    return keysOfCluster(context.sources, kvmClusters, { namespace: metadata.namespace ?? '', name });
  };
  return defineInfrastructureCluster(
    {
      name: 'kvmcluster',
      resource: kvmClusters,
      finalizer: kvmFinalizers.kvmCluster,
      conditions: {
        provisioned: controlPlaneEndpointReady,
        ready: [networkReady, controlPlaneEndpointReady],
        others: [loadBalancerReady, namespaceReady],
      },
      watches: [
        watch(kvmMachines, { map: mapToCluster }),
        // Keeps the IP pools in the cache. They need no mapping: this controller creates them itself.
        watch(inClusterIpPools, { map: () => [] }),
        ...endpoints.flatMap((endpoint) => endpoint.watches?.() ?? []),
      ],
      triggers: endpoints.flatMap((endpoint) => endpoint.triggers?.() ?? []),
      pausedBy: pausingOf,
      ignores: (kvmCluster) => hasAnnotation(kvmCluster, annotations.managedBy),
      ensure: (scope) => withFailureEvent(scope.context, scope.infraCluster, () => provision(scope, dependencies)),
      remove: (scope) => withFailureEvent(scope.context, scope.infraCluster, () => remove(scope, dependencies)),
      describeFailure: (error) => (error instanceof ReconcileError ? conditionsOf(error) : undefined),
      mirror: mirrorStatus,
    },
    context,
  );
}

async function provision(scope: ClusterScope<KVMCluster>, dependencies: ClusterDependencies): Promise<Progress> {
  const { context, infraCluster: kvmCluster } = scope;
  const { spec } = kvmCluster;
  const backend = backendOf(dependencies, kvmCluster);
  const hasPool = allocatesAddresses(kvmCluster, backend) && spec?.network?.ipPoolRef === undefined;
  if (hasPool) await ensureAddressPool(context, kvmCluster, addressPoolSpec(kvmCluster));
  const shared = await dependencies.services.get(backend)?.ensureCluster?.(kvmCluster, context);
  const { endpoint, problem, outcome } = await expose(scope, dependencies, backend);
  const host = spec?.controlPlaneEndpoint?.host ?? endpoint?.host;
  return {
    isProvisioned: host !== undefined && problem === undefined,
    ...(endpoint !== undefined && { endpoint }),
    failureDomains: failureDomainsOf(kvmCluster),
    conditions: [...conditionsOf(problem), ...(shared ?? [])],
    apply(draft) {
      draft.spec ??= {};
      draft.spec.backend ??= backend;
    },
    outcome,
  };
}

async function expose(
  { context, infraCluster: kvmCluster, cluster }: ClusterScope<KVMCluster>,
  { endpoints }: ClusterDependencies,
  backend: BackendName,
): Promise<EndpointProgress> {
  const members = membersOf(machinesOf(context.sources, kvmCluster));
  const exposure = { ...kvmCluster.spec?.controlPlaneExposure, type: exposureTypeOf(kvmCluster, backend) };
  const service = endpoints.find(({ types }) => types.includes(exposure.type));
  if (service === undefined) return withoutService(exposure.type);
  const progress = await service.ensure({ kvmCluster, cluster, backend, exposure, members }, context);
  await reportAttachment(context, members, progress.attached);
  return progress;
}

function failureDomainsOf({ spec }: Frozen<KVMCluster>): { name: string; controlPlane: boolean }[] {
  return (spec?.failureDomains ?? []).map(({ name, controlPlane = false }) => ({ name, controlPlane }));
}

function exposureTypeOf({ spec }: Frozen<KVMCluster>, backend: BackendName): ExposureType {
  return spec?.controlPlaneExposure?.type ?? (backend === 'pod' ? 'Service' : 'HAProxy');
}

function withoutService(type: ExposureType): EndpointProgress {
  const problem = {
    reason: kvmReasons.invalidSpec,
    message: `this manager does not support control plane exposure type ${type}`,
  };
  return { problem, attached: [], outcome: wait(problem) };
}

function conditionsOf(problem: EndpointProgress['problem']): ReportedCondition[] {
  const holds = { status: 'True', reason: 'Ready', message: '' } as const;
  const works = problem && ({ status: 'False', reason: problem.reason, message: problem.message } as const);
  return [
    { type: networkReady, ...holds },
    { type: controlPlaneEndpointReady, ...(works ?? holds) },
    { type: loadBalancerReady, ...(works ?? holds) },
  ];
}

/**
 * Removes the infrastructure of a cluster. The endpoint is removed after the last machine: draining Nodes needs the API server
 * behind it.
 */
async function remove(
  { context, infraCluster: kvmCluster }: DeletingClusterScope<KVMCluster>,
  dependencies: ClusterDependencies,
): Promise<RemovalProgress<KVMCluster> | undefined> {
  const [left] = machinesOf(context.sources, kvmCluster);
  if (left !== undefined) {
    const message = `Waiting for KVMMachine ${left.metadata.name ?? ''} to be deleted`;
    return waiting(kvmReasons.waitingForMachines, message, wait({ reason: kvmReasons.waitingForMachines, message }));
  }
  for (const endpoint of dependencies.endpoints) {
    const message = await endpoint.remove(kvmCluster, context);
    const reason = kvmReasons.deletionBlocked;
    if (message !== undefined) return waiting(reason, message, wait({ ms: checkAgainMs, reason, message }));
  }
  const service = dependencies.services.get(backendOf(dependencies, kvmCluster));
  const deleting = await service?.removeCluster?.(kvmCluster, context);
  if (deleting === undefined) return undefined;
  const { reason, message = '' } = deleting.condition;
  return waiting(reason, message, deleting.outcome);
}

function waiting(reason: string, message: string, outcome: Outcome): RemovalProgress<KVMCluster> {
  return { reason, message, outcome };
}
