import { clusterNameProblem, findInstalled, listInstalled, versionProblem } from '@slipway/clusterctl';
import type { CommandWorld } from '../../repositories/index.js';
import type { CreateClusterFlags } from './command.js';
import { CliError, exitCodes } from '../../errors/index.js';

export interface Answers {
  readonly name: string;
  readonly flags: CreateClusterFlags;
}

/** Asks a person for what was not said; a script has to say it. */
export async function askForMissing(
  name: string | undefined,
  flags: CreateClusterFlags,
  world: CommandWorld,
): Promise<Answers> {
  const isPersonThere = process.stdin.isTTY && process.stdout.isTTY && flags.yes !== true && flags.from !== '-';
  if (!isPersonThere) {
    if (name !== undefined) return { name, flags };
    throw new CliError('a name for the cluster is missing', {
      remedy: '`slipway create cluster demo`; at a terminal it is asked for',
      exitCode: exitCodes.usage,
    });
  }
  // Only here: nobody else needs the questions.
  const { ask } = await import('./questions.js');
  const isOwnTemplate = flags.from !== undefined || flags.fromConfigMap !== undefined;
  return ask(name, flags, {
    infrastructures: isOwnTemplate ? [] : await infrastructuresOf(world),
    valueOf: world.config.lookup,
    nameProblem: clusterNameProblem,
    versionProblem,
  });
}

/** Those that are installed where an inventory tells, else all that are known. */
async function infrastructuresOf(world: CommandWorld): Promise<readonly string[]> {
  const known = world.config.providers.filter(({ type }) => type === 'InfrastructureProvider');
  const installed = await listInstalled((await world.target()).client);
  const usable = known.filter((provider) => findInstalled(installed, provider) !== undefined);
  return (usable.length === 0 ? known : usable).map(({ name }) => name);
}
