import { type Cluster, clusters, isPaused, labels, machineDeployments } from '@slipway/cluster-api';
import { asJson, createMergePatch, type Frozen, type KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  isDeleting,
  keyOf,
  labelIndex,
  mapToController,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  wait,
  watch,
} from '@slipway/runtime';
import { supervisorClusters, supervisorMachines, type VirtualMachineGroup, zones } from '../../api/index.js';
import { namespaceIndex } from '../indexes.js';
import { apiVersionOf, isServed } from '../platform.js';
import type { SupervisorDependencies } from '../dependencies.js';
import { type GroupPlan, planGroup, zoneAnnotationPrefix } from './group-plan.js';
import { workersOf } from './workers.js';

/** Maintains one VirtualMachineGroup per cluster, so that the Supervisor places the workers of a MachineDeployment together. */
export function createGroupController(context: ControllerContext, dependencies: SupervisorDependencies): Controller {
  const clusterOf = ({ metadata }: Frozen<KubeObject>): ObjectKey[] => {
    const name = metadata.labels?.[labels.clusterName];
    return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
  };
  return createController({
    name: 'virtualmachinegroup',
    for: clusters,
    concurrency: context.concurrency,
    filter: context.watchFilter,
    watches: [
      watch(supervisorMachines, { map: clusterOf }),
      watch(machineDeployments, { map: clusterOf }),
      { resource: dependencies.platform.virtualMachineGroups, map: mapToController(clusters) },
    ],
    reconcile: (key, reconcileContext) => reconcileGroup(key, reconcileContext, dependencies),
  });
}

async function reconcileGroup(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: SupervisorDependencies,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  if (cluster?.spec.infrastructureRef?.apiGroup !== supervisorClusters.group) return done();
  if (isDeleting(cluster) || isPaused(cluster, cluster)) return done();
  if (cluster.status?.initialization?.controlPlaneInitialized !== true)
    return wait({ reason: 'WaitingForControlPlane', message: 'Waiting for the control plane to be initialized' });
  const { sources } = context;
  const group = sources.sourceFor(dependencies.platform.virtualMachineGroups).get(key);
  const deployments = sources
    .sourceFor(machineDeployments)
    .byIndex(labelIndex(labels.clusterName), `${key.namespace}/${key.name}`);
  const state = { deployments, workers: workersOf(sources, key), zones: await zonesOf(context, key), group };
  const plan = planGroup(state);
  if (plan === undefined)
    return wait({ reason: 'WaitingForMachines', message: 'Waiting for all worker machines to exist' });
  await write(context, dependencies, cluster, group, plan);
  return done();
}

async function zonesOf(context: ReconcileContext, { namespace }: ObjectKey): Promise<string[]> {
  if (!(await isServed(context.read, zones))) return [];
  const source = await context.follow({
    resource: zones,
    map: ({ metadata }) =>
      context.sources
        .sourceFor(clusters)
        .byIndex(namespaceIndex, metadata.namespace ?? '')
        .map(keyOf),
  });
  return source
    .byIndex(namespaceIndex, namespace)
    .flatMap((zone) => (isDeleting(zone) ? [] : [zone.metadata.name ?? '']));
}

async function write(
  context: ReconcileContext,
  { platform }: SupervisorDependencies,
  cluster: Frozen<Cluster>,
  current: Frozen<VirtualMachineGroup> | undefined,
  plan: GroupPlan,
): Promise<void> {
  const resource = platform.virtualMachineGroups;
  const key = keyOf(cluster);
  const cause = {
    reason: 'PlacementRequired',
    message: `Listed ${plan.members.length} workers of Cluster ${key.name} for placement`,
  };
  if (current === undefined) {
    const empty: VirtualMachineGroup = {
      apiVersion: apiVersionOf(resource) as VirtualMachineGroup['apiVersion'],
      kind: resource.kind as VirtualMachineGroup['kind'],
      metadata: { ...key },
    };
    fill(empty, cluster, plan);
    await context.change({ verb: 'create', resource, object: empty, ...cause });
    return;
  }
  const after = edit(current, (draft) => fill(draft as VirtualMachineGroup, cluster, plan));
  const patch = createMergePatch(asJson(current), asJson(after));
  if (Object.keys(patch).length === 0) return;
  // The patch replaces the whole list of members, so it requires the resourceVersion: concurrent additions must not be lost.
  patch['metadata'] = { ...(patch['metadata'] as object), resourceVersion: current.metadata.resourceVersion ?? '' };
  await context.change({ verb: 'patch', resource, key, body: { type: 'merge', patch }, ...cause });
}

function fill(draft: VirtualMachineGroup, cluster: Frozen<Cluster>, { members, annotations }: GroupPlan): void {
  const { metadata } = draft;
  metadata.ownerReferences ??= [ownerReference(cluster, { controller: true })];
  metadata.labels = { ...metadata.labels, [labels.clusterName]: cluster.metadata.name ?? '' };
  const foreign = Object.entries(metadata.annotations ?? {}).filter(([name]) => !name.startsWith(zoneAnnotationPrefix));
  metadata.annotations = { ...Object.fromEntries(foreign), ...annotations };
  const [first = {}, ...rest] = draft.spec?.bootOrder ?? [];
  const desired = members.map((name) => ({ kind: 'VirtualMachine' as const, name }));
  draft.spec = { ...draft.spec, bootOrder: [{ ...first, members: desired }, ...rest] };
}
