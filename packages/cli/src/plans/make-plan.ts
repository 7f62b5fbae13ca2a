import { systemClock } from '@slipway/base';
import { forbiddenBy, type Plan, planManifest } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { FeatureGateError } from '@slipway/runtime';
import type { Target } from '../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../errors/index.js';
import type { PlanFlags } from '../options/manifest-options.js';
import { manifestProblem } from './read-manifests.js';

/** What applying the objects, or deleting them, will do. */
export async function makePlan(
  target: Pick<Target, 'client' | 'namespace'>,
  objects: readonly KubeObject[],
  flags: Pick<PlanFlags, 'featureGates' | 'forceConflicts' | 'timeout'> & { readonly delete?: boolean },
  signal: AbortSignal,
): Promise<Plan> {
  const { client, namespace } = target;
  const { featureGates, forceConflicts = false, timeout: patienceMs, delete: isDelete = false } = flags;
  const chosen = { featureGates, forceConflicts, patienceMs, delete: isDelete };
  try {
    return await planManifest(objects, { client, namespace, nowMs: systemClock.now(), signal, ...chosen });
  } catch (error) {
    if (error instanceof FeatureGateError)
      throw new CliError(`--feature-gates: ${error.message}`, { exitCode: exitCodes.usage, cause: error });
    throw manifestProblem(error);
  }
}

/** Says what is forbidden and would happen; the exit code is for scripts. */
export function checkForbidden(made: Plan, { forbid }: Pick<PlanFlags, 'forbid'>): ExitCode {
  const found = forbiddenBy(made, new Set(forbid));
  if (found.length === 0) return exitCodes.ok;
  const names = found.map(({ outcome, machine, group }) => `${outcome} ${machine ?? `${group.kind} ${group.name}`}`);
  process.stderr.write(`slipway: forbidden by --forbid ${forbid.join(' --forbid ')}: ${names.join(', ')}\n`);
  return exitCodes.forbidden;
}
