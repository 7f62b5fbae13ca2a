import {
  checkContract,
  checkNoObjects,
  chooseInstalled,
  deleteObjects,
  findProviderObjects,
  type FoundObject,
  type InstalledProvider,
  listInstalled,
} from '@slipway/clusterctl';
import type { HttpClient } from '@slipway/runtime';
import { CliError, exitCodes } from '../../errors/index.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { printValue } from '../../output/index.js';
import { refuseEmbedded, withRepositories } from '../../repositories/index.js';
import { ask } from '../../terminal/input.js';
import type { DeleteFlags } from './command.js';
import { objectsText } from './text.js';

/** Lists the objects of providers and deletes them. */
export async function deleteProviders(flags: DeleteFlags): Promise<void> {
  const named = namedProviders(flags);
  const isNamed = Object.keys(named).length > 0;
  if ((flags.all === true) === isNamed)
    throw new CliError(
      isNamed
        ? `The --all flag can't be used in combination with ${providerFlagNames}`
        : `At least one of ${providerFlagNames} should be specified or the --all flag should be set`,
      { exitCode: exitCodes.usage },
    );
  await withRepositories(flags, async (context) => {
    const { client } = await context.target();
    const options = { signal: context.signal };
    await checkContract(client, {}, options);
    await refuseEmbedded(client, 'stop the process and its providers with `slipway down`');
    const installed = await listInstalled(client, options);
    const chosen = flags.all === true ? installed : chooseInstalled(named, installed);
    if (flags.includeCrd === true) await checkNoObjects(client, chosen, options);
    const objects = await objectsOf(client, chosen, flags, context.signal);
    if (flags.output === undefined) process.stdout.write(objectsText(chosen, objects));
    if (flags.dryRun !== true) {
      await confirm(flags, objects.length);
      await deleteObjects(client, objects, options);
    }
    await printValue({ providers: chosen, objects: objects.map(rowOf) }, flags.output, () =>
      flags.dryRun === true ? '' : `Deleted ${objects.length} objects.\n`,
    );
  });
}

async function objectsOf(
  client: HttpClient,
  chosen: readonly InstalledProvider[],
  flags: DeleteFlags,
  signal: AbortSignal,
): Promise<readonly FoundObject[]> {
  const scope = {
    inventory: true,
    definitions: flags.includeCrd ?? false,
    namespace: flags.includeNamespace ?? false,
  };
  const found = await Promise.all(chosen.map((provider) => findProviderObjects(client, provider, scope, { signal })));
  return found.flat();
}

function rowOf({ resource, namespace, name }: FoundObject): object {
  return { kind: resource.kind, group: resource.group, namespace, name };
}

/** Asks for confirmation on a terminal only: scripts state their intent by explicit flags. */
async function confirm(flags: DeleteFlags, count: number): Promise<void> {
  const isInteractive = process.stdin.isTTY && process.stdout.isTTY && flags.output === undefined;
  if (!isInteractive || count === 0 || (await ask(`Delete these ${count} objects?`, flags.yes ?? false))) return;
  throw new CliError('nothing was deleted', { exitCode: exitCodes.interrupted });
}
