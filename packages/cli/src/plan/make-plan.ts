import { systemClock } from '@slipway/base';
import {
  applyObjects,
  checkServed,
  deleteObjects,
  type Plan,
  planOf,
  readState,
  scopeOf,
  topologyGate,
  whatIf,
} from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { FeatureGateError } from '@slipway/runtime';
import type { PlanFlags } from '../commands/plan.js';
import type { Target } from '../connection/index.js';
import { CliError, exitCodes } from '../errors/index.js';
import { manifestProblem } from './read-manifests.js';

/** What applying the objects, or deleting them, will do. */
export async function makePlan(
  target: Pick<Target, 'client' | 'namespace'>,
  objects: readonly KubeObject[],
  flags: Pick<PlanFlags, 'featureGates' | 'forceConflicts' | 'timeout'> & { readonly delete?: boolean },
  signal: AbortSignal,
): Promise<Plan> {
  const { client, namespace } = target;
  const { forceConflicts = false } = flags;
  try {
    await checkServed(client, objects);
    const state = await readState(client, scopeOf(objects, namespace), signal);
    const run = await whatIf({
      state,
      nowMs: systemClock.now(),
      featureGates: gatesOf(objects, flags.featureGates),
      limits: { patienceMs: flags.timeout },
      signal,
      change: async (fork) => {
        if (flags.delete === true) await deleteObjects(fork, objects, { namespace });
        else await applyObjects(fork, objects, { namespace, forceConflicts });
      },
    });
    return planOf(run);
  } catch (error) {
    if (error instanceof FeatureGateError)
      throw new CliError(`--feature-gates: ${error.message}`, { exitCode: exitCodes.usage, cause: error });
    throw manifestProblem(error);
  }
}

function gatesOf(objects: readonly KubeObject[], chosen: string): string {
  const hasClass = objects.some(({ kind }) => kind === 'ClusterClass');
  return [...(hasClass ? [topologyGate] : []), chosen].filter((text) => text !== '').join(',');
}
