import { forbiddenBy, type Plan } from '@slipway/insight';
import type { PlanFlags, PlanOptions } from '../commands/plan.js';
import { withTarget } from '../connection/index.js';
import { type ExitCode, exitCodes } from '../errors/index.js';
import { printValue } from '../output/index.js';
import { makePlan } from './make-plan.js';
import { planText } from './plan-text.js';
import { readManifests } from './read-manifests.js';

const widthDefault = 80;

export async function plan(options: PlanOptions): Promise<ExitCode> {
  const objects = await readManifests(options.filename);
  return withTarget({ ...options, hideApiWarnings: 'default' }, async (target, signal) => {
    const made = await makePlan(target, objects, options, signal);
    await printValue(made, options.output, () => planText(made, process.stdout.columns ?? widthDefault));
    return checkForbidden(made, options);
  });
}

/** Says what is forbidden and would happen; the exit code is for scripts. */
export function checkForbidden(made: Plan, { forbid }: Pick<PlanFlags, 'forbid'>): ExitCode {
  const found = forbiddenBy(made, new Set(forbid));
  if (found.length === 0) return exitCodes.ok;
  const names = found.map(({ outcome, machine, group }) => `${outcome} ${machine ?? `${group.kind} ${group.name}`}`);
  process.stderr.write(`slipway: forbidden by --forbid ${forbid.join(' --forbid ')}: ${names.join(', ')}\n`);
  return exitCodes.forbidden;
}
