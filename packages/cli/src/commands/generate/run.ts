import {
  generateCluster as generate,
  openRepository,
  parseProviderReference,
  type ProviderType,
  readComponents,
  readTemplateFrom,
  renderTemplate,
} from '@slipway/clusterctl';
import { CliError, exitCodes } from '../../errors/index.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { printObjects, printValue } from '../../output/index.js';
import { templateSource, withRepositories } from '../../repositories/index.js';
import { readStandardInput } from '../../terminal/input.js';
import type { GenerateClusterFlags, GenerateProviderFlags, GenerateYamlFlags } from './command.js';
import { descriptionText, variablesText, variablesWithValues } from './text.js';

/** Prints the objects of a new cluster, or the variables of its template. */
export async function generateCluster(name: string, flags: GenerateClusterFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const { targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount } = flags;
    const variablesOnly = flags.listVariables ?? false;
    const source = await templateSource(flags);
    const generated = await generate(
      { name, targetNamespace, kubernetesVersion, controlPlaneMachineCount, workerMachineCount, source, variablesOnly },
      context,
    );
    if (!variablesOnly) return printObjects(generated.objects, flags.output, flags.writeTo);
    const variables = variablesWithValues(generated.variables, context.config.lookup);
    return printValue(variables, flags.output, () => variablesText(variables));
  });
}

/** Prints the components of a provider, or a description of them. */
export async function generateProvider(flags: GenerateProviderFlags): Promise<void> {
  const { type, reference } = onlyProvider(flags);
  await withRepositories(flags, async (context) => {
    const { name, version } = parseProviderReference(reference);
    const repository = await openRepository(context.config.provider(name, type), context);
    const raw = flags.raw === true || flags.describe === true;
    const components = await readComponents(
      repository,
      { version, targetNamespace: flags.targetNamespace, raw },
      context,
    );
    if (flags.describe !== true) return printObjects(components.objects, flags.output, flags.writeTo);
    const { provider, url, variables, images } = components;
    return printValue({ ...provider, url, variables, images }, flags.output, () => descriptionText(components));
  });
}

function onlyProvider(flags: GenerateProviderFlags): { readonly type: ProviderType; readonly reference: string } {
  const named = Object.entries(namedProviders(flags)).flatMap(([type, references]) =>
    references.map((reference) => ({ type: type as ProviderType, reference })),
  );
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return only;
  throw new CliError(`${only === undefined ? 'at least' : 'only'} one of ${providerFlagNames} should be set`, {
    exitCode: exitCodes.usage,
  });
}

/** Prints YAML with its variables replaced by their values. */
export async function generateYaml(flags: GenerateYamlFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const text = flags.from === '-' ? await readStandardInput() : await readTemplateFrom(flags.from, context);
    const variablesOnly = flags.listVariables ?? false;
    const { variables, objects } = renderTemplate(text, {
      lookup: context.config.lookup,
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
