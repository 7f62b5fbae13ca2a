import { badRequest, type Frozen, internalError, type KubeObject, StatusError } from '@slipway/kube';
import type { DeleteOptions, SubresourceCreate } from '../../contract/index.js';
import { child, fields, type Fields, list, number, text } from '../shared/fields.js';
import { selectorMatches } from '../shared/validation.js';
import { success } from './binding.js';
import type { PodOperations } from './pod-operations.js';

const retryAfterSeconds = 10;
const disruptedPodsMax = 2000;

/** Handles POST pods/<name>/eviction: deletes a pod if its disruption budgets allow it. */
export function evictPod(operations: PodOperations, now: () => string): SubresourceCreate {
  return async ({ namespace, name, body, dryRun }) => {
    const eviction = body as Fields;
    const named = text(fields(eviction.metadata).name);
    if (named !== '' && named !== name) throw badRequest('name in URL does not match name in Eviction object');
    const pod = operations.getPod(namespace, name);
    const options: DeleteOptions = { ...(fields(eviction.deleteOptions) as DeleteOptions), dryRun };
    if (!ignoresBudgets(pod)) await takeFromBudget(operations, namespace, pod, now(), dryRun);
    await operations.changePod(namespace, name, (object) => setDisruptionTarget(object, now()), dryRun);
    await operations.deletePod(namespace, name, withUid(options, pod));
    return { code: 201, object: success() };
  };
}

/** Sets the DisruptionTarget condition, which distinguishes a disruption from a failure. */
function setDisruptionTarget(pod: KubeObject, time: string): void {
  const status = child(pod, 'status');
  const others = list(status.conditions).filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: time,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  status.conditions = [...others, condition];
}

/** Whether the eviction ignores budgets: deleting a pod that is not running disrupts nothing. */
function ignoresBudgets(pod: Frozen<KubeObject>): boolean {
  const phase = text(fields(pod.status).phase);
  return (
    phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined
  );
}

/** Adds a precondition on the uid, so that only the pod that was checked is deleted, not another one with the same name. */
function withUid(options: DeleteOptions, pod: Frozen<KubeObject>): DeleteOptions {
  const uid = options.preconditions?.uid ?? pod.metadata.uid;
  return { ...options, preconditions: { ...options.preconditions, ...(uid === undefined ? {} : { uid }) } };
}

async function takeFromBudget(
  operations: PodOperations,
  namespace: string,
  pod: Frozen<KubeObject>,
  time: string,
  dryRun: boolean,
): Promise<void> {
  const matching = operations.budgets(namespace).filter((budget) => {
    const selector = fields(budget.spec).selector;
    return selector !== undefined && selectorMatches(selector, pod.metadata.labels);
  });
  if (matching.length === 0) return;
  if (matching.length > 1) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const budget = matching[0]?.metadata.name ?? '';
  await operations.changeBudget(namespace, budget, (object) => spend(object, pod.metadata.name ?? '', time), dryRun);
}

function spend(budget: KubeObject, pod: string, time: string): void {
  const status = child(budget, 'status');
  const name = budget.metadata.name ?? '';
  if (number(status.observedGeneration) < number(budget.metadata.generation)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`);
  }
  const disrupted = child(status, 'disruptedPods');
  const allowed = number(status.disruptionsAllowed);
  if (allowed <= 0 || Object.keys(disrupted).length > disruptedPodsMax) {
    throw tooMany(
      `The disruption budget ${name} needs ${number(status.desiredHealthy)} healthy pods and has ${number(status.currentHealthy)} currently`,
    );
  }
  status.disruptionsAllowed = allowed - 1;
  disrupted[pod] = time;
}

function tooMany(why: string): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message: why }], retryAfterSeconds },
  });
}
