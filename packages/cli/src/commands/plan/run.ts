import { withTarget } from '../../connection/index.js';
import type { ExitCode } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { checkForbidden, makePlan } from '../../plans/make-plan.js';
import { planText } from '../../plans/plan-text.js';
import { readManifests } from '../../plans/read-manifests.js';
import type { PlanOptions } from './command.js';

const widthDefault = 80;

export async function plan(options: PlanOptions): Promise<ExitCode> {
  const objects = await readManifests(options.filename);
  return withTarget({ ...options, hideApiWarnings: 'default' }, async (target, signal) => {
    const made = await makePlan(target, objects, options, signal);
    await printValue(made, options.output, () => planText(made, process.stdout.columns ?? widthDefault));
    return checkForbidden(made, options);
  });
}
