import { sleep } from '@slipway/base';
import { type Frozen, isReason } from '@slipway/kube';
import { markFalse, type Node, nodes, type Outcome, retry } from '@slipway/runtime';
import { machineReasons } from '../api/index.js';
import { connectedClient } from '../workload/index.js';
import { isNodeDeletionOver } from './deletion-plan.js';
import { changeV1beta1, type MachineScope, recordEvent, tellDeleting } from './machine-scope.js';

const attemptsMax = 5;
const attemptDelayMs = 2_000;

/** Deletes the Node, which nobody else does once its machine is gone. */
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
  const told = `Error deleting Node, please check controller logs for errors: ${failure.message}`;
  tellDeleting(scope, machineReasons.deletingNode, told);
  return retry(failure);
}

/**
 * Tries for a short while. It sleeps here instead of coming back later, because the machine is gone and a single refused
 * request must not leave its Node behind once the time is up.
 */
async function tryToDelete(scope: MachineScope, name: string): Promise<Error | undefined> {
  const { clock, signal } = scope.context;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = connectedClient(scope.settings.workloads, scope.clusterKey);
      const node = await client.get(nodes, { namespace: '', name }, { signal });
      if (isAnothers(scope, node)) return undefined;
      const { uid } = node.metadata;
      await client.delete(nodes, { namespace: '', name }, { signal, ...(uid && { preconditions: { uid } }) });
      return undefined;
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      const failure = error instanceof Error ? error : new Error(String(error), { cause: error });
      // Also without a connection: right after a start, and while the control plane changes, there is none for a moment.
      if (attempt >= attemptsMax) return failure;
      await sleep(clock, attemptDelayMs, { signal });
    }
  }
}

/** A later machine may have come up under the same name. */
function isAnothers({ machine }: MachineScope, node: Frozen<Node>): boolean {
  const [own, there] = [machine.spec.providerID, node.spec?.providerID];
  return own !== undefined && there !== undefined && own !== there;
}
