import {
  applyObjects,
  changesSince,
  deleteObjects,
  type Plan,
  plannedObjects,
  planStatus,
  readForPlan,
} from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { terminalWidth } from '../../output/index.js';
import { checkForbidden, makePlan } from '../../plans/make-plan.js';
import { type PlanFile, readPlanFile } from '../../plans/plan-file.js';
import { planText } from '../../plans/plan-text.js';
import { manifestProblem, readManifests } from '../../plans/read-manifests.js';
import { ask } from '../../terminal/input.js';
import type { ApplyOptions } from './command.js';
import { follow } from './follow.js';

const widthDefault = 80;

/** The source of the objects to apply: a manifest, or the manifest in a plan file. */
interface Application {
  readonly objects: readonly KubeObject[];
  readonly namespace: string;
  readonly forceConflicts: boolean;
  readonly isDelete: boolean;
}

export async function apply(planFile: string | undefined, options: ApplyOptions): Promise<ExitCode> {
  const { filename } = options;
  if ((planFile === undefined) === (filename === undefined))
    throw new CliError('specify either a manifest with -f or a plan file', { exitCode: exitCodes.usage });
  if (planFile !== undefined) return applyPlan(await readPlanFile(planFile), options);
  const objects = await readManifests(filename ?? []);
  return withTarget(options, async (target, signal) => {
    const { forceConflicts = false } = options;
    const application = { objects, namespace: target.namespace, forceConflicts, isDelete: false };
    const isPlanned = options.plan === true || options.forbid.length > 0;
    if (!isPlanned) {
      await applyAll(target, application, signal);
      return exitCodes.ok;
    }
    const { plan } = await makePlan(target, objects, options, signal);
    if (options.plan === true) process.stdout.write(`${planText(plan, terminalWidth(process.stdout, widthDefault))}\n`);
    if (checkForbidden(plan, options) !== exitCodes.ok) return exitCodes.forbidden;
    if (options.plan === true && !(await ask('Apply the manifest?', options.yes ?? false))) {
      process.stdout.write('Nothing was applied.\n');
      return exitCodes.ok;
    }
    return applyAndFollow(target, application, plan, options, signal);
  });
}

/** Applies a plan file, unless an object that it is based on has changed. */
async function applyPlan(file: PlanFile, options: ApplyOptions): Promise<ExitCode> {
  const { manifest: objects, namespace, forceConflicts, delete: isDelete, plan } = file;
  return withTarget(options, async (target, signal) => {
    const input = await readForPlan(target.client, objects, { namespace, delete: isDelete, signal });
    const changes = changesSince(file.basedOn, plannedObjects(input), plan.clusters);
    if (changes.length > 0)
      throw new CliError(`objects changed after the plan was created: ${changes.join(', ')}`, {
        remedy: 'create a new plan with `slipway plan --out`',
      });
    if (checkForbidden(plan, options) !== exitCodes.ok) return exitCodes.forbidden;
    return applyAndFollow(target, { objects, namespace, forceConflicts, isDelete }, plan, options, signal);
  });
}

async function applyAndFollow(
  target: Target,
  application: Application,
  plan: Plan,
  options: ApplyOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const following = options.follow ? await follow(target.client, plan, signal) : undefined;
  try {
    await applyAll(target, application, signal);
    const status = planStatus(plan);
    if (following !== undefined && (status === 'blocked' || status === 'notSettled'))
      process.stdout.write(
        'The simulation did not reach a stable state. Printing changes until all planned machine changes are complete.\n',
      );
    return (await following?.end()) ?? exitCodes.ok;
  } finally {
    await following?.dispose();
  }
}

async function applyAll({ client }: Target, application: Application, signal: AbortSignal): Promise<void> {
  const { objects, namespace, forceConflicts, isDelete } = application;
  try {
    if (isDelete) {
      await deleteObjects(client, objects, { namespace, signal });
      for (const object of objects) process.stdout.write(`deleted ${nameOf(object)}\n`);
      return;
    }
    for (const object of await applyObjects(client, objects, { namespace, forceConflicts, signal }))
      process.stdout.write(`applied ${nameOf(object)}\n`);
  } catch (error) {
    throw manifestProblem(error);
  }
}

function nameOf({ kind, metadata }: Frozen<KubeObject>): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;
}
