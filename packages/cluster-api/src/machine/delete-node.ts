import { sleep } from '@slipway/base';
import { type Frozen, isReason } from '@slipway/kube';
import { type DeleteChange, isDeleting, labelIndex, type Node, nodes, type Outcome, retry } from '@slipway/runtime';
import { labels, machineReasons, machines } from '../api/index.js';
import { controlPlane, infrastructureMachine, resolveKind } from '../contract/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { markFalse, type WorkloadCluster } from '../toolkit/index.js';
import { connectedCluster, nodeByProviderId } from '../workload/index.js';
import { isNodeDeletionOver } from './deletion-plan.js';
import {
  changeMachine,
  changeV1beta1,
  type MachineScope,
  recordEvent,
  statusOf,
  reportDeleting,
} from './machine-scope.js';

const attemptsMax = 5;
const attemptDelayMs = 2_000;

/** Deletes the Node of the machine. No other controller does so after the Machine was deleted. */
export async function deleteNode(scope: MachineScope): Promise<Outcome | undefined> {
  const name = scope.machine.status?.nodeRef?.name ?? '';
  const failure = await tryToDelete(scope, name);
  if (failure === undefined) return undefined;
  const cause = { reason: 'DeletionFailed', severity: 'Warning', message: '' } as const;
  changeV1beta1(scope, (target) => markFalse(target, 'NodeHealthy', cause, scope.nowMs));
  const message = `error deleting Machine's Node: ${failure.message}`;
  recordEvent(scope, { type: 'Warning', reason: 'FailedDeleteNode', message });
  if (isNodeDeletionOver(scope.machine, scope.context.clock.now())) {
    scope.context.logger.info({ Node: name }, 'Node deletion timeout expired, leaving the Node behind');
    return undefined;
  }
  const conditionMessage = `Error deleting Node, please check controller logs for errors: ${failure.message}`;
  reportDeleting(scope, machineReasons.deletingNode, conditionMessage);
  return retry(failure);
}

/**
 * Deletes the Node. Retries here instead of requeueing: once the timeout has passed the Machine is deleted, and a single failed
 * request must not leave the Node behind.
 */
async function tryToDelete(scope: MachineScope, name: string): Promise<Error | undefined> {
  const { clock, signal } = scope.context;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const on = connectedCluster(scope.dependencies.workloads, scope.clusterKey);
      const node = await on.read.get(nodes, { namespace: '', name }, { signal });
      if (!isAnothers(scope, node)) await scope.context.change(nodeDeletion(scope, on, node));
      return undefined;
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      const failure = error instanceof Error ? error : new Error(String(error), { cause: error });
      // Errors without a connection are retried too: there is none right after a start and while the control plane is replaced.
      if (attempt >= attemptsMax) return failure;
      await sleep(clock, attemptDelayMs, { signal });
    }
  }
}

function nodeDeletion({ machine }: MachineScope, on: WorkloadCluster, { metadata }: Frozen<Node>): DeleteChange<Node> {
  const { name = '', uid } = metadata;
  return {
    verb: 'delete',
    resource: nodes,
    key: { namespace: '', name },
    options: uid === undefined || uid === '' ? {} : { preconditions: { uid } },
    on,
    reason: 'MachineDeleted',
    message: `Deleted Node ${name} because Machine ${machine.metadata.name ?? ''} is being deleted`,
  };
}

/** Returns whether the Node belongs to another Machine: a later one may have registered a Node of the same name. */
function isAnothers({ machine }: MachineScope, node: Frozen<Node>): boolean {
  const [own, there] = [machine.spec.providerID, node.spec?.providerID];
  return own !== undefined && there !== undefined && own !== there;
}

/**
 * Returns why the Node is neither drained nor deleted. Undefined if both must be done. While the Cluster or its control plane is
 * being deleted, there is no other Node to move pods to, and soon no API server.
 */
export async function whyNodeIsKept(scope: MachineScope): Promise<string | undefined> {
  const { cluster } = scope;
  if (cluster === undefined || isDeleting(cluster)) return 'cluster is being deleted';
  await findNode(scope);
  if (scope.machine.status?.nodeRef === undefined) return 'noderef is nil';
  const controlPlaneState = await stateOfControlPlane(scope);
  if (controlPlaneState === 'deleting') return 'control plane is being deleted';
  if (controlPlaneState === 'external') return undefined;
  return hasActiveControlPlane(scope) ? undefined : 'no control plane members';
}

/** Sets nodeRef for a Machine that is deleted before its nodeRef was set. A Node that cannot be found now is left behind. */
async function findNode(scope: MachineScope): Promise<void> {
  const { machine, infrastructure, dependencies, clusterKey, context } = scope;
  if (machine.status?.nodeRef !== undefined) return;
  const providerId =
    machine.spec.providerID ??
    (infrastructure.type === 'found'
      ? infrastructureMachine.read(infrastructure.object, infrastructure.kind.contract).providerId
      : undefined);
  if (providerId === undefined) return;
  try {
    connectedCluster(dependencies.workloads, clusterKey);
    const node = await nodeByProviderId(dependencies.workloads, clusterKey, providerId, context.signal);
    if (node === undefined) return;
    changeMachine(scope, (draft) => void (statusOf(draft).nodeRef = { name: node.metadata.name ?? '' }));
  } catch (error) {
    context.logger.info({ err: error }, 'Failed to look up the Node of a deleted Machine');
  }
}

async function stateOfControlPlane(scope: MachineScope): Promise<'deleting' | 'external' | 'own'> {
  const { context, cluster } = scope;
  const reference = cluster?.spec.controlPlaneRef;
  if (reference === undefined) return 'own';
  const { resource, contract } = resolveKind(context.sources, reference);
  const key = { namespace: scope.clusterKey.namespace, name: reference.name };
  try {
    const object = await context.read.get(resource, key, { signal: context.signal });
    if (isDeleting(object)) return 'deleting';
    return controlPlane.read(object, contract).externallyManaged ? 'external' : 'own';
  } catch (error) {
    if (isReason(error, 'NotFound')) return 'own';
    throw error;
  }
}

function hasActiveControlPlane({ context, clusterKey }: MachineScope): boolean {
  const { namespace, name } = clusterKey;
  const all = context.sources.sourceFor(machines).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return all.some((machine) => isControlPlaneMachine(machine) && !isDeleting(machine));
}
