import {
  install,
  type InstalledProvider,
  labelOf,
  planInit,
  type ProviderComponents,
  waitForProviders,
} from '@slipway/clusterctl';
import { namedProviders } from '../../options/provider-options.js';
import { printValue } from '../../output/index.js';
import { withRepositories } from '../../repositories/index.js';
import type { InitFlags } from './command.js';
import { providersText, welcome } from './text.js';

/** Installs providers and prints their names. */
export async function init(flags: InitFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const { client } = await context.target();
    const options = {
      providers: namedProviders(flags),
      targetNamespace: flags.targetNamespace,
      validate: flags.validate,
    };
    const { queue, isFirst } = await planInit(options, client, context);
    const isDry = flags.dryRun === true;
    const print = (text: string): void => {
      if (flags.output === undefined) process.stdout.write(text);
    };
    if (!isDry) {
      const onProvider = (provider: InstalledProvider): void =>
        print(`Installing ${labelOf(provider)} ${provider.version} in ${provider.namespace}\n`);
      await install(client, queue, onProvider, context);
      if (flags.waitProviders) {
        print('Waiting for providers to be available...\n');
        await waitForProviders(client, queue, { ...context, timeoutMs: flags.waitProviderTimeout });
      }
    }
    await printValue({ providers: queue.map(rowOf) }, flags.output, () => {
      if (queue.length === 0) return 'All providers are already installed.\n';
      if (isDry) return `Would install:\n\n${providersText(queue)}`;
      return isFirst ? welcome : '';
    });
  });
}

function rowOf({ provider, images, objects }: ProviderComponents): object {
  return { ...provider, label: labelOf(provider), images, objects: objects.length };
}

/** Lists the images that an installation needs. Does not need a cluster. */
export async function listImages(flags: InitFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const management = await context.management();
    const options = {
      providers: namedProviders(flags),
      targetNamespace: flags.targetNamespace,
      validate: false,
      raw: true,
    };
    const { queue } = await planInit(options, management?.client, context);
    const images = [...new Set(queue.flatMap((components) => components.images))].sort();
    await printValue(images, flags.output, () => images.map((image) => `${image}\n`).join(''));
  });
}
