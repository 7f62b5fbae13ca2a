import {
  type ClusterCache,
  ClusterDisconnected,
  done,
  isDeleting,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { machineHealthChecks, reasons } from '../api/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { clusterOf, runPhases } from '../reconcile/index.js';
import { carryOut } from './carry-out.js';
import type { HealthCheckEvent, HealthCheckPlan } from './health-check-plan.js';
import type { HealthCheckPass, RemediationRequests } from './health-check-pass.js';
import { planHealthCheck } from './health-check-planner.js';
import { observeTargets } from './observe-targets.js';
import { observeRequests } from './remediation-requests.js';
import { owned, ownedConditions, reported, undecided } from './report-status.js';
import type { HealthTarget, ObservedHealthCheck } from './target-health.js';

/** Says which machines are healthy, and asks for the remediation of those that have not been for too long. */
export async function reconcileHealthCheck(
  key: ObjectKey,
  context: ReconcileContext,
  workloads: ClusterCache,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineHealthChecks).get(key);
  if (observed === undefined || isDeleting(observed)) return done();
  const cluster = clusterOf(context.sources, observed);
  if (!(await openReconcile(context, machineHealthChecks, observed, { cluster }))) return done();
  // What goes with its cluster is not to be healed.
  if (cluster !== undefined && isDeleting(cluster)) return done();
  const healthCheck = owned(observed, cluster);
  if (cluster === undefined) {
    const message = `Cluster ${observed.spec.clusterName} does not exist`;
    return giveUp(context, observed, healthCheck, { reason: reasons.objectDoesNotExist, message });
  }
  const pass: HealthCheckPass = { context, workloads, cluster, healthCheck };
  let targets: HealthTarget[];
  let requests: RemediationRequests | undefined;
  try {
    targets = await observeTargets(pass);
    requests = await observeRequests(pass);
  } catch (error) {
    return whyUndecided(pass, observed, error);
  }
  return judge(pass, observed, targets, requests);
}

async function judge(
  pass: HealthCheckPass,
  observed: ObservedHealthCheck,
  targets: readonly HealthTarget[],
  requests: RemediationRequests | undefined,
): Promise<Outcome> {
  const { context, cluster, healthCheck } = pass;
  const nowMs = context.clock.now();
  const namespace = healthCheck.metadata.namespace ?? '';
  const machines = new Map(targets.map(({ machine }) => [nameOf(machine), machine]));
  const requested = [...machines.keys()].filter((name) => requests?.source.get({ namespace, name }) !== undefined);
  const plan = planHealthCheck({ healthCheck, cluster, targets, requests: new Set(requested), nowMs });
  const outcome = await runPhases([
    async () => {
      await carryOut(pass, plan.changes, requests, (name) => machines.get(name));
      return afterwards(plan);
    },
  ]);
  tell(pass, plan.events, machines);
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  await write(context, observed, reported(healthCheck, cluster, plan, { failed, nowMs }));
  return outcome;
}

function afterwards({ requeueAfterMs }: HealthCheckPlan): Outcome {
  if (requeueAfterMs === undefined) return done();
  return wait({ ms: requeueAfterMs, reason: 'TimeoutRunning', message: 'a machine may become unhealthy' });
}

/** Events about a machine stand on that machine, as far as it is known. */
function tell(
  { context, healthCheck }: HealthCheckPass,
  events: readonly HealthCheckEvent[],
  machines: ReadonlyMap<string, ObservedMachine>,
): void {
  for (const { machine = '', type, reason, message } of events)
    context.events.record(machines.get(machine) ?? healthCheck, { type, reason, message });
}

/** A cluster that does not answer says nothing about its machines. The cache tells when it is back. */
async function whyUndecided(pass: HealthCheckPass, observed: ObservedHealthCheck, error: unknown): Promise<Outcome> {
  const { context, healthCheck } = pass;
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
  { client, signal }: ReconcileContext,
  before: ObservedHealthCheck,
  after: ObservedHealthCheck,
): Promise<void> {
  await patchObject(client, machineHealthChecks, before, after, { ownedConditions, signal });
}
