import type { Plan } from '@slipway/insight';
import { plannedObjects } from '@slipway/insight';
import { withTarget } from '../../connection/index.js';
import type { ExitCode } from '../../errors/index.js';
import { printValue, terminalWidth } from '../../output/index.js';
import { exitCodeOf, makePlan } from '../../plans/make-plan.js';
import { writePlanFile } from '../../plans/plan-file.js';
import { planMarkdown } from '../../plans/plan-markdown.js';
import { planText } from '../../plans/plan-text.js';
import { readManifests } from '../../plans/read-manifests.js';
import type { PlanOptions } from './command.js';

const widthDefault = 80;

export async function plan(options: PlanOptions): Promise<ExitCode> {
  const manifest = await readManifests(options.filename);
  const { forceConflicts = false, delete: isDelete = false, out } = options;
  return withTarget(options, async (target, signal) => {
    const made = await makePlan(target, manifest, options, signal);
    const { namespace } = target;
    if (out !== undefined)
      await writePlanFile(out, {
        namespace,
        delete: isDelete,
        forceConflicts,
        manifest,
        basedOn: plannedObjects(made.input),
        plan: made.plan,
      });
    await print(made.plan, options.output);
    return exitCodeOf(made.plan, options);
  });
}

async function print(made: Plan, output: PlanOptions['output']): Promise<void> {
  if (output === 'markdown') process.stdout.write(planMarkdown(made));
  else await printValue(made, output, () => planText(made, terminalWidth(process.stdout, widthDefault)));
}
