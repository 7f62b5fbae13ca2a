import { formatTime, type Frozen } from '@slipway/kube';
import {
  done,
  hasAnnotation,
  keyOf,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  wait,
} from '@slipway/runtime';
import { devAnnotations, devConditions, type DevMachine, devMachines, devReasons } from '../api/index.js';
import { type Guest, registerNode, startApiServer, startEtcd } from '../guest/index.js';
import type { StartupReport } from './startup-report.js';
import { type StartupPhase, startupMs } from './startup.js';

/** The state that the steps of one reconcile share. */
export interface StartupScope extends Guest {
  readonly context: ReconcileContext;
  readonly devMachine: Frozen<DevMachine>;
  readonly report: StartupReport;
}

export interface StartupStep {
  readonly phase: StartupPhase;
  readonly condition: string;
  /** What the step does, as a verb phrase. */
  readonly action: string;
  /** The condition that must be True before this step, and the reason to report until then. */
  readonly after?: { readonly condition: string; readonly reason: string };
  /** Returns the start time of the phase. */
  readonly begin: (scope: StartupScope) => number;
  readonly finish: (scope: StartupScope) => Promise<void>;
}

const { vmProvisioned, nodeProvisioned, etcdProvisioned, apiServerProvisioned } = devConditions;
const afterNode = { condition: nodeProvisioned, reason: devReasons.waitingForNodeProvisioned };

const machineSteps: readonly StartupStep[] = [
  {
    phase: 'vm',
    condition: vmProvisioned,
    action: 'switch on machine',
    begin: ({ workload, name }) => workload.switchOn(name),
    async finish({ workload, name }) {
      workload.switchOn(name);
    },
  },
  {
    phase: 'node',
    condition: nodeProvisioned,
    action: 'register Node',
    after: { condition: vmProvisioned, reason: devReasons.waitingForVmProvisioned },
    begin: ({ report }) => report.since(vmProvisioned),
    finish: joinCluster,
  },
];

const controlPlaneSteps: readonly StartupStep[] = [
  {
    phase: 'etcd',
    condition: etcdProvisioned,
    action: 'start etcd member',
    after: afterNode,
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: startEtcd,
  },
  {
    phase: 'apiServer',
    condition: apiServerProvisioned,
    action: 'start API server',
    after: afterNode,
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: (scope) => startApiServer(scope, scope.report.since(apiServerProvisioned)),
  },
];

export function stepsFor(isControlPlane: boolean): readonly StartupStep[] {
  return isControlPlane ? [...machineSteps, ...controlPlaneSteps] : machineSteps;
}

/** Runs one startup step of a machine that is switched on. */
export async function runStep(scope: StartupScope, step: StartupStep): Promise<Outcome> {
  const { report, context } = scope;
  const { after, condition } = step;
  if (after !== undefined && !report.isProvisioned(after.condition)) {
    report.waits(condition, after.reason);
    return done();
  }
  context.check();
  const isFirst = !report.isProvisioned(condition);
  if (isFirst) {
    const dueAt = step.begin(scope) + durationOf(scope, step.phase);
    const ms = dueAt - context.clock.now();
    if (ms > 0) {
      const message = `Waiting for the simulated startup, which finishes at ${formatTime(Math.ceil(dueAt / 1000) * 1000)}`;
      report.waits(condition, devReasons.waitingForStartupTimeout, message);
      return wait({ ms, reason: devReasons.waitingForStartupTimeout, message });
    }
  }
  // Do not start a failed machine again.
  if (!scope.workload.hasFailed(scope.name)) await finishStep(scope, step, isFirst);
  report.provisioned(condition);
  return done();
}

/**
 * Completes a step. A step that was completed before is repeated without a report: after a restart the simulation is rebuilt from
 * the objects.
 */
async function finishStep(scope: StartupScope, step: StartupStep, isFirst: boolean): Promise<void> {
  if (!isFirst) return step.finish(scope);
  const { context, devMachine, name } = scope;
  await context.change({
    verb: 'call',
    resource: devMachines,
    key: keyOf(devMachine),
    action: step.action,
    reason: 'Provisioning',
    message: `Simulated machine ${name}: ${step.action}`,
    run: () => step.finish(scope),
  });
}

/** Returns the duration of a phase. It is 0 for a machine that was up before a restart of the process or a move. */
function durationOf({ devMachine, uid }: StartupScope, phase: StartupPhase): number {
  if (hasAnnotation(devMachine, devAnnotations.bootstrapped)) return 0;
  return startupMs(devMachine.spec?.backend.inMemory ?? {}, phase, uid);
}

/** Registers the Node. The first machine creates the simulated cluster with the keys of its Secrets. */
async function joinCluster(scope: StartupScope): Promise<void> {
  const { report, devMachine, name } = scope;
  try {
    await registerNode(scope);
  } catch (error) {
    if (error instanceof ReconcileError) report.waits(nodeProvisioned, devReasons.certificatesNotUsable, error.message);
    throw error;
  }
  if (devMachine.metadata.deletionTimestamp !== undefined) throw new Error(`${name} is being deleted`);
}

export function providerIdOf(name: string): string {
  return `in-memory://${name}`;
}
