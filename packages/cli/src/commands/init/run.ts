import {
  install,
  type InstalledProvider,
  labelOf,
  planInit,
  type ProviderComponents,
  waitForProviders,
} from '@slipway/clusterctl';
import { withRepositories } from '../../repositories/index.js';
import type { InitFlags } from './command.js';
import { namedProviders } from '../../options/provider-options.js';
import { columnsText, printValue } from '../../output/index.js';

/** Installs providers, and says which. */
export async function init(flags: InitFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const { client } = await world.target();
    const options = {
      providers: namedProviders(flags),
      targetNamespace: flags.targetNamespace,
      validate: flags.validate,
    };
    const { queue, isFirst } = await planInit(options, client, world);
    const isDry = flags.dryRun === true;
    const say = (text: string): void => {
      if (flags.output === undefined) process.stdout.write(text);
    };
    if (!isDry) {
      const onProvider = (provider: InstalledProvider): void =>
        say(`Installing ${labelOf(provider)} ${provider.version} in ${provider.namespace}\n`);
      await install(client, queue, onProvider, world);
      if (flags.waitProviders) {
        say('Waiting for providers to be available...\n');
        await waitForProviders(client, queue, { ...world, timeoutMs: flags.waitProviderTimeout });
      }
    }
    await printValue({ providers: queue.map(rowOf) }, flags.output, () => {
      if (queue.length === 0) return 'Everything is installed already.\n';
      if (isDry) return `Would install:\n\n${providersText(queue)}`;
      return isFirst ? welcome : '';
    });
  });
}

const welcome = `
Your management cluster has been initialized successfully!

You can now create your first workload cluster by running the following:

  slipway create cluster [name] --infrastructure [provider]

`;

function rowOf({ provider, images, objects }: ProviderComponents): object {
  return { ...provider, label: labelOf(provider), images, objects: objects.length };
}

function providersText(queue: readonly ProviderComponents[]): string {
  const rows = queue.map(({ provider, objects }) => [
    labelOf(provider),
    provider.type,
    provider.version,
    provider.namespace,
    String(objects.length),
  ]);
  return `${columnsText(['NAME', 'TYPE', 'VERSION', 'NAMESPACE', 'OBJECTS'], rows, 3).join('\n')}\n`;
}
