import type { Frozen } from '@slipway/kube';
import {
  type InformerHandler,
  isConditionTrue,
  keyOf,
  labelIndex,
  type Node,
  nodes,
  type ObjectKey,
  type ReconcileContext,
  ReconcileError,
} from '@slipway/runtime';
import { labels, machineHealthChecks, machines } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';
import { nodeInformer } from '../workload/index.js';
import { isTarget } from './health-check-planner.js';
import {
  clusterIndex,
  type HealthCheckScope,
  nodeIndex,
  type RemediationRequests,
  requestKindOf,
} from './health-check-scope.js';
import type { HealthTarget } from './target-health.js';

/** Returns the machines that the health check targets, each with its Node. Throws ClusterDisconnected. */
export async function observeTargets(scope: HealthCheckScope): Promise<HealthTarget[]> {
  const { context, healthCheck } = scope;
  const value = `${healthCheck.metadata.namespace ?? ''}/${healthCheck.spec.clusterName}`;
  const targets = context.sources
    .sourceFor(machines)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((machine) => isTarget(healthCheck, machine));
  const nodeOf = await nodeReader(scope);
  return targets.map((machine) => ({ machine, node: nodeOf(machine) }));
}

type NodeReader = (machine: ObservedMachine) => HealthTarget['node'];

/** Returns a function that reads Nodes. A cluster has no Nodes before its control plane is initialized. */
async function nodeReader({ context, workloads, cluster }: HealthCheckScope): Promise<NodeReader> {
  if (!isConditionTrue(cluster, 'ControlPlaneInitialized')) return () => undefined;
  const key = keyOf(cluster);
  const handler = nodeHandler(context, key);
  await workloads.watch(key, { name: 'machinehealthcheck', resource: nodes, options: nodeInformer, handler });
  const informer = await workloads.informer(key, nodes, nodeInformer);
  if (!informer.synced) await informer.whenSynced({ signal: context.signal });
  return (machine) => {
    const name = machine.status?.nodeRef?.name;
    return name === undefined ? undefined : (informer.get({ namespace: '', name }) ?? 'deleted');
  };
}

/** Enqueues the health checks of a machine when a field of its Node changes that they evaluate. */
function nodeHandler(
  { sources, enqueue }: Pick<ReconcileContext, 'sources' | 'enqueue'>,
  cluster: ObjectKey,
): InformerHandler<Node> {
  const enqueueChecks = (node: Frozen<Node>): void => {
    const value = `${cluster.namespace}/${cluster.name}/${node.metadata.name ?? ''}`;
    for (const machine of sources.sourceFor(machines).byIndex(nodeIndex, value))
      for (const check of sources.sourceFor(machineHealthChecks).byIndex(clusterIndex, keyText(cluster)))
        if (isTarget(check, machine)) enqueue(keyOf(check));
  };
  return {
    added: (node, { initial }) => (initial ? undefined : enqueueChecks(node)),
    updated: (node, previous) => (statesOf(node) === statesOf(previous) ? undefined : enqueueChecks(node)),
    deleted: enqueueChecks,
  };
}

function keyText({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

/** Returns the condition statuses of a Node without times, which change with every heartbeat. */
function statesOf({ status }: Frozen<Node>): string {
  return (status?.conditions ?? []).map((each) => `${each.type}=${each.status}`).join(' ');
}

/**
 * Returns the external remediation requests. Undefined without spec.remediation.templateRef: the owner of each Machine then
 * remediates it.
 */
export async function observeRequests(scope: HealthCheckScope): Promise<RemediationRequests | undefined> {
  const { context, healthCheck } = scope;
  const templateRef = healthCheck.spec.remediation?.templateRef;
  if (templateRef === undefined) return undefined;
  const request = requestKindOf(templateRef);
  const { read, sources } = context;
  const [resource, template] = await Promise.all([
    read.resourceFor(request),
    read.resourceFor({ ...request, kind: templateRef.kind }),
  ]);
  if (resource === undefined || template === undefined)
    throw new ReconcileError(
      'DefinitionMissing',
      `the kind ${resource === undefined ? request.kind : templateRef.kind} of ${templateRef.apiVersion}, which spec.remediation.templateRef references, is not installed`,
      { retry: 'later', remedy: 'install the provider that includes it, or correct the reference' },
    );
  const source = await context.follow({
    resource,
    map: ({ metadata }) => {
      const namespace = metadata.namespace ?? '';
      const machine = sources.sourceFor(machines).get({ namespace, name: metadata.name ?? '' });
      if (machine === undefined) return [];
      return sources
        .sourceFor(machineHealthChecks)
        .byIndex(clusterIndex, `${namespace}/${machine.spec.clusterName}`)
        .filter((check) => isTarget(check, machine))
        .map(keyOf);
    },
  });
  const namespace = healthCheck.metadata.namespace ?? '';
  return { resource, source, template: { resource: template, key: { namespace, name: templateRef.name } } };
}
