import { applyObjects, type Plan } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { type Target, withTarget } from '../../connection/index.js';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { checkForbidden, makePlan } from '../../plans/make-plan.js';
import { planText } from '../../plans/plan-text.js';
import { manifestProblem, readManifests } from '../../plans/read-manifests.js';
import { ask } from '../../terminal/input.js';
import type { ApplyOptions } from './command.js';
import { follow } from './follow.js';

const widthDefault = 80;

export async function apply(options: ApplyOptions): Promise<ExitCode> {
  const objects = await readManifests(options.filename);
  return withTarget({ ...options, hideApiWarnings: 'default' }, async (target, signal) => {
    const isPlanned = options.plan === true || options.forbid.length > 0;
    if (!isPlanned) {
      await applyAll(target, objects, options, signal);
      return exitCodes.ok;
    }
    const plan = await makePlan(target, objects, options, signal);
    if (options.plan === true) process.stdout.write(`${planText(plan, process.stdout.columns ?? widthDefault)}\n`);
    if (checkForbidden(plan, options) !== exitCodes.ok) return exitCodes.forbidden;
    if (options.plan === true && !(await ask('Apply the manifest?', options.yes ?? false))) {
      process.stdout.write('Nothing was applied.\n');
      return exitCodes.ok;
    }
    return applyAndFollow(target, objects, plan, options, signal);
  });
}

async function applyAndFollow(
  target: Target,
  objects: readonly KubeObject[],
  plan: Plan,
  options: ApplyOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const following = options.follow ? await follow(target.client, plan, signal) : undefined;
  try {
    await applyAll(target, objects, options, signal);
    return (await following?.end()) ?? exitCodes.ok;
  } finally {
    await following?.dispose();
  }
}

async function applyAll(
  target: Target,
  objects: readonly KubeObject[],
  { forceConflicts = false }: ApplyOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { client, namespace } = target;
    for (const { kind, metadata } of await applyObjects(client, objects, { namespace, forceConflicts, signal }))
      process.stdout.write(
        `applied ${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}\n`,
      );
  } catch (error) {
    throw manifestProblem(error);
  }
}
