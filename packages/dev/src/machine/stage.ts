import { formatTime, type Frozen } from '@slipway/kube';
import { done, hasAnnotation, type Outcome, type ReconcileContext, wait } from '@slipway/runtime';
import { devAnnotations, type DevMachine, devReasons } from '../api/index.js';
import type { Guest } from '../guest/index.js';
import type { MachineReport } from './machine-report.js';
import { type StartupPhase, startupMs } from './startup.js';

/** All that the phases of one pass share. */
export interface Stage extends Guest {
  readonly context: ReconcileContext;
  readonly devMachine: Frozen<DevMachine>;
  readonly report: MachineReport;
}

export interface StartupStep {
  readonly phase: StartupPhase;
  readonly condition: string;
  /** The condition that has to be true first, and the reason while it is not. */
  readonly after?: { readonly condition: string; readonly reason: string };
  /** Since when the phase runs. */
  readonly begin: (stage: Stage) => number;
  readonly finish: (stage: Stage) => Promise<void>;
}

/** One step of the way from a machine that is switched on to one that does its work. */
export async function runStep(stage: Stage, step: StartupStep): Promise<Outcome> {
  const { report, context } = stage;
  const { after, condition } = step;
  if (after !== undefined && !report.isProvisioned(after.condition)) {
    report.waits(condition, after.reason);
    return done();
  }
  context.check();
  if (!report.isProvisioned(condition)) {
    const dueAt = step.begin(stage) + durationOf(stage, step.phase);
    const ms = dueAt - context.clock.now();
    if (ms > 0) {
      const message = `starts up until ${formatTime(Math.ceil(dueAt / 1000) * 1000)}`;
      report.waits(condition, devReasons.waitingForStartupTimeout, message);
      return wait({ ms, reason: devReasons.waitingForStartupTimeout, message });
    }
  }
  // Also for what was provisioned long ago: after a restart it has to be built again. What failed stays as it is.
  if (!stage.workload.hasFailed(stage.name)) await step.finish(stage);
  report.provisioned(condition);
  return done();
}

/** A machine that once was up is so at once: after a restart, and when it was moved here without its status. */
function durationOf({ devMachine, uid }: Stage, phase: StartupPhase): number {
  if (hasAnnotation(devMachine, devAnnotations.bootstrapped)) return 0;
  return startupMs(devMachine.spec?.backend.inMemory ?? {}, phase, uid);
}
