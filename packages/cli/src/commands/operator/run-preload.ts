import type { ProviderType } from '@slipway/clusterctl';
import { parsePreloadReference, preloadExisting, preloadManifests } from '@slipway/operator';
import type { ConfigMap } from '@slipway/runtime';
import { withRepositories } from '../../repositories/index.js';
import type { PreloadFlags } from './command.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { CliError, exitCodes } from '../../errors/index.js';
import { printObjects } from '../../output/print-objects.js';

/** Prints releases as ConfigMaps. A cluster is asked only for what it has. */
export async function preload(flags: PreloadFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const references = Object.entries(namedProviders(flags)).flatMap(([type, texts]) =>
      texts.map((text) => parsePreloadReference(type as ProviderType, text)),
    );
    const { artifactUrl, existing = false } = flags;
    if (references.length === 0 && !existing)
      throw new CliError(`at least one of ${providerFlagNames} or --existing should be set`, {
        exitCode: exitCodes.usage,
      });
    if (artifactUrl !== undefined && references.length !== 1)
      throw new CliError('--artifact-url is the release of one provider: name exactly one', {
        exitCode: exitCodes.usage,
      });
    const maps: ConfigMap[] = [];
    for (const reference of references) maps.push(...(await preloadManifests(reference, world, artifactUrl)));
    if (existing) maps.push(...(await preloadExisting((await world.target()).client, world)));
    await printObjects(maps, flags.output, flags.writeTo);
  });
}
