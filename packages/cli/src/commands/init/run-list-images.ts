import { planInit } from '@slipway/clusterctl';
import { withRepositories } from '../../repositories/index.js';
import type { InitFlags } from './command.js';
import { namedProviders } from '../../options/provider-options.js';
import { printValue } from '../../output/index.js';

/** Lists the images that an installation needs. No cluster has to be there. */
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
