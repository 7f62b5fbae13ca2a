import { systemClock } from '@slipway/base';
import { forbiddenBy, type Plan, type PlanInput, planOnState, planStatus, readForPlan } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { FeatureGateError } from '@slipway/runtime';
import type { Target } from '../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../errors/index.js';
import type { PlanFlags } from '../options/manifest-options.js';
import { showProgress } from './plan-progress.js';
import { manifestProblem } from './read-manifests.js';

export interface MadePlan {
  readonly plan: Plan;
  readonly input: PlanInput;
}

/** Plans the changes of applying or deleting the objects. Shows the progress if standard error is a terminal. */
export async function makePlan(
  target: Pick<Target, 'client' | 'namespace'>,
  objects: readonly KubeObject[],
  flags: Pick<PlanFlags, 'featureGates' | 'forceConflicts' | 'timeout'> & { readonly delete?: boolean },
  signal: AbortSignal,
): Promise<MadePlan> {
  const { client, namespace } = target;
  const { featureGates, forceConflicts = false, timeout: timeoutMs, delete: isDelete = false } = flags;
  const progress = showProgress(process.stderr, () => systemClock.monotonic());
  try {
    progress.show({ phase: 'reading' });
    const input = await readForPlan(client, objects, { namespace, delete: isDelete, signal });
    const chosen = { featureGates, forceConflicts, timeoutMs, delete: isDelete, signal };
    const onProgress = progress.show.bind(progress);
    return { input, plan: await planOnState(input, { nowMs: systemClock.now(), ...chosen, onProgress }) };
  } catch (error) {
    if (error instanceof FeatureGateError)
      throw new CliError(`--feature-gates: ${error.message}`, { exitCode: exitCodes.usage, cause: error });
    throw manifestProblem(error);
  } finally {
    progress.clear();
  }
}

const codes = {
  noChanges: exitCodes.ok,
  changes: exitCodes.planChanges,
  blocked: exitCodes.planBlocked,
  notSettled: exitCodes.planNotSettled,
} as const;

/** Returns the exit code of a plan for scripts. */
export function exitCodeOf(plan: Plan, flags: Pick<PlanFlags, 'forbid'>): ExitCode {
  const forbidden = checkForbidden(plan, flags);
  return forbidden === exitCodes.ok ? codes[planStatus(plan)] : forbidden;
}

/** Prints the planned outcomes that --forbid excludes, and returns the exit code for scripts. */
export function checkForbidden(made: Plan, { forbid }: Pick<PlanFlags, 'forbid'>): ExitCode {
  const found = forbiddenBy(made, new Set(forbid));
  if (found.length === 0) return exitCodes.ok;
  const names = found.map(({ outcome, machine, group }) => `${outcome} ${machine ?? `${group.kind} ${group.name}`}`);
  process.stderr.write(`slipway: forbidden by --forbid ${forbid.join(' --forbid ')}: ${names.join(', ')}\n`);
  return exitCodes.forbidden;
}
