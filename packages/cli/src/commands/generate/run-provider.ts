import {
  openRepository,
  parseProviderReference,
  type ProviderComponents,
  type ProviderType,
  readComponents,
} from '@slipway/clusterctl';
import { withRepositories } from '../../repositories/index.js';
import type { GenerateProviderFlags } from './command.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { CliError, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { printObjects } from '../../output/print-objects.js';

/** Prints the components of a provider, or what they are. */
export async function generateProvider(flags: GenerateProviderFlags): Promise<void> {
  const { type, reference } = onlyProvider(flags);
  await withRepositories(flags, async (world) => {
    const { name, version } = parseProviderReference(reference);
    const repository = await openRepository(world.config.provider(name, type), world);
    const raw = flags.raw === true || flags.describe === true;
    const components = await readComponents(
      repository,
      { version, targetNamespace: flags.targetNamespace, raw },
      world,
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

/** As clusterctl describes a provider. */
function descriptionText({ provider, url, variables, images }: ProviderComponents): string {
  const [file = '', , ...base] = url.split('/').reverse();
  const facts = [
    ['Name:', provider.name],
    ['Type:', provider.type],
    ['URL:', `${base.reverse().join('/')}/`],
    ['Version:', provider.version],
    ['File:', file],
    ['TargetNamespace:', provider.namespace],
  ];
  const list = (title: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `${title}\n${items.map((item) => `  - ${item}\n`).join('')}`;
  const lines = facts.map(([name = '', value = '']) => `${name.padEnd(20)}${value}\n`).join('');
  return `${lines}${list('Variables:', variables)}${list('Images:', images)}\n`;
}
