import {
  applyUpgrade,
  type InstalledProvider,
  labelOf,
  planTo,
  planToContract,
  planUpgrade,
  type UpgradePlan,
  waitForProviders,
} from '@slipway/clusterctl';
import { CliError, exitCodes } from '../../errors/index.js';
import { namedProviders, providerFlagNames } from '../../options/provider-options.js';
import { printValue } from '../../output/index.js';
import { type CommandWorld, refuseEmbedded, withRepositories } from '../../repositories/index.js';
import type { UpgradeApplyFlags, UpgradePlanFlags } from './command.js';
import { plansText } from './text.js';

/** Prints the available upgrades. */
export async function upgradePlan(flags: UpgradePlanFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const { client } = await world.target();
    const plans = await planUpgrade(client, world);
    await printValue(plans, flags.output, () => plansText(plans));
  });
}

/** Upgrades providers and prints the progress. */
export async function upgradeApply(flags: UpgradeApplyFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const { client } = await world.target();
    const plan = await planOf(flags, world);
    if (flags.dryRun === true) return printValue(plan, flags.output, () => plansText([plan]));
    await refuseEmbedded(client, 'to upgrade the providers, install a newer slipway and restart it');
    const say = (text: string): void => {
      if (flags.output === undefined) process.stdout.write(`${text}\n`);
    };
    say('Performing upgrade...');
    const nameOf = (provider: InstalledProvider): string =>
      `${labelOf(provider)} ${provider.version} in ${provider.namespace}`;
    const steps = {
      onScaleDown: (provider: InstalledProvider) => say(`Scaling down ${nameOf(provider)}`),
      onInstall: (provider: InstalledProvider) => say(`Installing ${nameOf(provider)}`),
    };
    const queue = await applyUpgrade(client, plan, steps, world);
    if (flags.waitProviders) {
      say('Waiting for providers to be available...');
      await waitForProviders(client, queue, { ...world, timeoutMs: flags.waitProviderTimeout });
    }
    return printValue(plan, flags.output, () => (queue.length === 0 ? 'You are already up to date!\n' : ''));
  });
}

async function planOf(flags: UpgradeApplyFlags, world: CommandWorld): Promise<UpgradePlan> {
  const named = namedProviders(flags);
  const isNamed = Object.keys(named).length > 0;
  if ((flags.contract !== undefined) === isNamed)
    throw new CliError(
      isNamed
        ? `The --contract flag can't be used in combination with ${providerFlagNames}`
        : `Either the --contract flag or at least one of the following flags has to be set: ${providerFlagNames}`,
      { exitCode: exitCodes.usage },
    );
  const { client } = await world.target();
  return flags.contract === undefined ? planTo(named, client, world) : planToContract(flags.contract, client, world);
}
