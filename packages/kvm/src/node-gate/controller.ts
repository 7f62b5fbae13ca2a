import {
  type ClusterCache,
  ClusterDisconnected,
  isControlPlaneMachine,
  machineOwnersOf,
  nodeByProviderId,
  nodeInformer,
  type ObservedCluster,
} from '@slipway/cluster-api';
import { deepEqual, type Frozen, formatTime, type KubeObject } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  done,
  ifPresent,
  type Index,
  isDeleting,
  keyOf,
  type Node,
  nodes,
  type ObjectKey,
  type Outcome,
  pods,
  type ReconcileContext,
  type Sources,
  wait,
} from '@slipway/runtime';
import { type KVMMachine, kvmClusters, kvmLabels, kvmMachines } from '../api/index.js';
import type { HostingClusters } from '../pod/index.js';
import { gateCondition, type NodeEvidence } from './gate-condition.js';

export interface NodeGateOptions {
  readonly sources: Sources;
  readonly workloads: ClusterCache;
  readonly hosting: HostingClusters;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

const fieldManager = 'slipway-kvm-node-gate';

const byProviderId: Index<KVMMachine> = {
  name: 'providerID',
  valuesOf: ({ spec }) => (spec?.providerID === undefined ? [] : [spec.providerID]),
};
const byCluster: Index<KVMMachine> = {
  name: 'cluster',
  valuesOf: ({ metadata }) => [
    `${metadata.namespace ?? ''}/${metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? ''}`,
  ],
};

/** Sets the readiness gate of worker pods from their Nodes, so that no Service routes to a Node that is not ready. */
export function createNodeGateController(options: NodeGateOptions): Controller {
  const { sources, workloads, concurrency, filter } = options;
  return createController({
    name: 'kvmmachine-node-gate',
    for: kvmMachines,
    concurrency,
    filter,
    triggers: [
      (enqueue) =>
        workloads.onChange(({ namespace, name }) => {
          const found = sources.sourceFor(kvmMachines).byIndex(byCluster, `${namespace}/${name}`);
          for (const machine of found) enqueue(keyOf(machine as Frozen<KubeObject>));
        }),
    ],
    reconcile: (key, context) => reconcileGate(key, context, options),
  });
}

/** A worker that runs as a pod. Only such machines have a readiness gate. */
interface GatedMachine {
  readonly key: ObjectKey;
  readonly providerId: string;
  readonly cluster: ObservedCluster;
  /** Whether the machine has had a Node. */
  readonly hadNode: boolean;
}

function observeGated(sources: Sources, key: ObjectKey): GatedMachine | undefined {
  const kvmMachine = sources.sourceFor(kvmMachines).get(key);
  if (kvmMachine === undefined || isDeleting(kvmMachine as Frozen<KubeObject>)) return undefined;
  const { machine, cluster } = machineOwnersOf(sources, kvmMachine);
  const providerId = kvmMachine.spec?.providerID;
  if (kvmMachine.status?.vm?.pod === undefined || providerId === undefined) return undefined;
  if (machine === undefined || cluster === undefined || isControlPlaneMachine(machine)) return undefined;
  return { key, providerId, cluster, hadNode: machine.status?.nodeRef?.name !== undefined };
}

async function reconcileGate(key: ObjectKey, context: ReconcileContext, options: NodeGateOptions): Promise<Outcome> {
  const gated = observeGated(context.sources, key);
  if (gated === undefined) return done();
  const evidence = await evidenceOf(gated, context, options);
  if (evidence.type === 'unknown')
    return wait({ reason: 'WorkloadClusterUnreachable', message: 'the last reported state of the Node is kept' });
  await patchPod(gated, evidence, context, options);
  return done();
}

async function patchPod(
  { key, cluster, providerId }: GatedMachine,
  evidence: NodeEvidence,
  context: ReconcileContext,
  { hosting }: NodeGateOptions,
): Promise<void> {
  const { sources, read, signal } = context;
  const infrastructure = { namespace: key.namespace, name: cluster.spec.infrastructureRef?.name ?? '' };
  const host = await hosting.clusterFor(sources.sourceFor(kvmClusters).get(infrastructure), read);
  const pod = await ifPresent(host.read.get(pods, key, { signal }));
  if (pod === undefined || `kvm://${pod.metadata.labels?.[kvmLabels.machineUuid] ?? ''}` !== providerId) return;
  const condition = gateCondition(pod, evidence, formatTime(context.clock.now()));
  if (condition === undefined) return;
  await context.change({
    ...host.target,
    verb: 'apply',
    resource: pods,
    key,
    configuration: { apiVersion: 'v1', kind: 'Pod', status: { conditions: [{ ...condition }] } },
    fieldManager,
    subresource: 'status',
    reason: condition.reason ?? condition.type,
    message: condition.message ?? '',
  });
}

async function evidenceOf(
  { cluster: observed, providerId, hadNode }: GatedMachine,
  context: ReconcileContext,
  { workloads }: NodeGateOptions,
): Promise<NodeEvidence> {
  const { enqueue, sources } = context;
  const cluster = keyOf(observed as Frozen<KubeObject>);
  const notify = ({ spec }: Frozen<Node>): void => {
    if (spec?.providerID === undefined) return;
    const found = sources.sourceFor(kvmMachines).byIndex(byProviderId, spec.providerID);
    for (const machine of found) enqueue(keyOf(machine as Frozen<KubeObject>));
  };
  try {
    await workloads.watch(cluster, {
      name: 'kvm-node-gate',
      resource: nodes,
      options: nodeInformer,
      handler: {
        added: notify,
        updated: (node, previous) => {
          if (!deepEqual(readinessOf(node), readinessOf(previous))) notify(node);
        },
        deleted: notify,
      },
    });
    const node = await nodeByProviderId(workloads, cluster, providerId, context.signal);
    return node === undefined ? { type: 'missing', hadNode } : { type: 'node', node };
  } catch (error) {
    if (error instanceof ClusterDisconnected) return { type: 'unknown' };
    throw error;
  }
}

/** Returns the fields of a Node that affect the gate. Heartbeats do not. */
function readinessOf({ metadata, status }: Frozen<Node>): unknown {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return [metadata.deletionTimestamp, ready?.status, ready?.message];
}
