import { readTemplateFrom, renderTemplate } from '@slipway/clusterctl';
import { readStandardInput, withRepositories } from '../../repositories/index.js';
import type { GenerateYamlFlags } from './command.js';
import { printValue } from '../../output/index.js';
import { printObjects } from '../../output/print-objects.js';

/** Prints any YAML with values in the place of its variables. */
export async function generateYaml(flags: GenerateYamlFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const text = flags.from === '-' ? await readStandardInput() : await readTemplateFrom(flags.from, world);
    const variablesOnly = flags.listVariables ?? false;
    const { variables, objects } = renderTemplate(text, {
      lookup: world.config.lookup,
      targetNamespace: '',
      variablesOnly,
    });
    if (!variablesOnly) return printObjects(objects, flags.output);
    const names = variables.map(({ name }) => name);
    return printValue({ variables }, flags.output, () =>
      names.length === 0 ? '\n' : `Variables:\n${names.map((name) => `  - ${name}\n`).join('')}`,
    );
  });
}
