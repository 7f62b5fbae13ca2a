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
  await withRepositories(flags, async (world) => {
    const management = await world.management();
    const options = {
      providers: namedProviders(flags),
      targetNamespace: flags.targetNamespace,
      validate: false,
      raw: true,
    };
    const { queue } = await planInit(options, management?.client, world);
    const images = [...new Set(queue.flatMap((components) => components.images))].sort();
    await printValue(images, flags.output, () => images.map((image) => `${image}\n`).join(''));
  });
}
