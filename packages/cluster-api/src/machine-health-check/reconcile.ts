import {
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  type NewCondition,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  ReconcileError,
  setCondition,
  wait,
} from '@slipway/runtime';
import { labels, machineHealthChecks, reasons } from '../api/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { clusterOf, type ObservedCluster, runPhases, writeCause } from '../reconcile/index.js';
import {
  type ClusterCache,
  ClusterDisconnected,
  markFalse,
  markTrue,
  openReconcile,
  pausedCondition,
  type V1beta1Target,
} from '../toolkit/index.js';
import { carryOut } from './carry-out.js';
import { type HealthCheckEvent, type HealthCheckPlan, planHealthCheck } from './health-check-planner.js';
import type { HealthCheckScope, RemediationRequests } from './health-check-scope.js';
import { observeRequests, observeTargets } from './observe.js';
import type { HealthTarget, ObservedHealthCheck } from './target-health.js';

/**
 * Reports which machines are healthy, and requests remediation of those that have been unhealthy for longer than their timeout.
 */
export async function reconcileHealthCheck(
  key: ObjectKey,
  context: ReconcileContext,
  workloads: ClusterCache,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineHealthChecks).get(key);
  if (observed === undefined || isDeleting(observed)) return done();
  const cluster = clusterOf(context.sources, observed);
  if (!(await openReconcile(context, machineHealthChecks, observed, { cluster }))) return done();
  // Do not remediate Machines while their Cluster is being deleted.
  if (cluster !== undefined && isDeleting(cluster)) return done();
  const healthCheck = owned(observed, cluster);
  if (cluster === undefined) {
    const message = `Cluster ${observed.spec.clusterName} does not exist`;
    return giveUp(context, observed, healthCheck, { reason: reasons.objectDoesNotExist, message });
  }
  const scope: HealthCheckScope = { context, workloads, cluster, healthCheck };
  let targets: HealthTarget[];
  let requests: RemediationRequests | undefined;
  try {
    targets = await observeTargets(scope);
    requests = await observeRequests(scope);
  } catch (error) {
    return whyUndecided(scope, observed, error);
  }
  return evaluate(scope, observed, targets, requests);
}

async function evaluate(
  scope: HealthCheckScope,
  observed: ObservedHealthCheck,
  targets: readonly HealthTarget[],
  requests: RemediationRequests | undefined,
): Promise<Outcome> {
  const { context, cluster, healthCheck } = scope;
  const nowMs = context.clock.now();
  const namespace = healthCheck.metadata.namespace ?? '';
  const machines = new Map(targets.map(({ machine }) => [nameOf(machine), machine]));
  const requested = [...machines.keys()].filter((name) => requests?.source.get({ namespace, name }) !== undefined);
  const plan = planHealthCheck({ healthCheck, cluster, targets, requests: new Set(requested), nowMs });
  const outcome = await runPhases([
    async () => {
      await carryOut(scope, plan.steps, requests, (name) => machines.get(name));
      return afterwards(plan);
    },
  ]);
  recordEvents(scope, plan.events, machines);
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  await write(context, observed, withStatus(healthCheck, cluster, plan, { failed, nowMs }));
  return outcome;
}

function afterwards({ requeueAfterMs }: HealthCheckPlan): Outcome {
  if (requeueAfterMs === undefined) return done();
  return wait({
    ms: requeueAfterMs,
    reason: 'TimeoutRunning',
    message: 'Waiting for a health check timeout to elapse',
  });
}

/** Records events of the plan. An event about a machine is recorded on that machine, if it is known. */
function recordEvents(
  { context, healthCheck }: HealthCheckScope,
  events: readonly HealthCheckEvent[],
  machines: ReadonlyMap<string, ObservedMachine>,
): void {
  for (const { machine = '', type, reason, message } of events)
    context.events.record(machines.get(machine) ?? healthCheck, { type, reason, message });
}

/**
 * Reports that the health of the machines is unknown because their cluster does not respond. The next connection to the cluster
 * enqueues the health check.
 */
async function whyUndecided(scope: HealthCheckScope, observed: ObservedHealthCheck, error: unknown): Promise<Outcome> {
  const { context, healthCheck } = scope;
  if (error instanceof ClusterDisconnected)
    return giveUp(context, observed, healthCheck, { reason: reasons.connectionDown, message: error.message });
  if (!(error instanceof ReconcileError)) throw error;
  await giveUp(context, observed, healthCheck, { reason: error.reason, message: error.message });
  throw error;
}

async function giveUp(
  context: ReconcileContext,
  observed: ObservedHealthCheck,
  healthCheck: ObservedHealthCheck,
  cause: { readonly reason: string; readonly message: string },
): Promise<Outcome> {
  await write(context, observed, undecided(healthCheck, cause, context.clock.now()));
  return wait(cause);
}

async function write(
  context: ReconcileContext,
  before: ObservedHealthCheck,
  after: ObservedHealthCheck,
): Promise<void> {
  const cause = writeCause(before, after);
  await context.change({ verb: 'patch', resource: machineHealthChecks, before, after, ownedConditions, ...cause });
}

/** All condition types that this controller writes on a MachineHealthCheck. */
const ownedConditions = ['Paused', 'RemediationAllowed'] as const;

/** Returns the health check with the Cluster as owner. */
function owned(healthCheck: ObservedHealthCheck, cluster: ObservedCluster | undefined): ObservedHealthCheck {
  return edit(healthCheck, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}

/** Returns the health check with the status of the plan. */
function withStatus(
  healthCheck: ObservedHealthCheck,
  cluster: ObservedCluster | undefined,
  { status: counters, condition }: HealthCheckPlan,
  options: { readonly failed: boolean; readonly nowMs: number },
): ObservedHealthCheck {
  const { failed, nowMs } = options;
  const { expectedMachines, currentHealthy, remediationsAllowed, targets } = counters;
  return edit(healthCheck, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    Object.assign(status, { expectedMachines, currentHealthy, remediationsAllowed, targets: [...targets] });
    if (!failed && generation !== undefined) status.observedGeneration = generation;
    for (const each of [condition, pausedCondition(healthCheck, cluster)])
      setCondition(draft as ConditionTarget, each, nowMs);
    const target = draft as V1beta1Target;
    if (condition.status === 'True') markTrue(target, 'RemediationAllowed', nowMs);
    else {
      const { reason, message = '' } = condition;
      markFalse(target, 'RemediationAllowed', { reason, severity: 'Warning', message }, nowMs);
    }
  });
}

/** Returns the health check with the status for machines that could not be observed. */
function undecided(
  healthCheck: ObservedHealthCheck,
  condition: Omit<NewCondition, 'type' | 'status'>,
  nowMs: number,
): ObservedHealthCheck {
  return edit(healthCheck, (draft) =>
    setCondition(draft as ConditionTarget, { type: 'RemediationAllowed', status: 'Unknown', ...condition }, nowMs),
  );
}
