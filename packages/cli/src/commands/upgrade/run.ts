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
import { type CommandContext, refuseEmbedded, withRepositories } from '../../repositories/index.js';
import type { UpgradeApplyFlags, UpgradePlanFlags } from './command.js';
import { plansText } from './text.js';

/** Prints the available upgrades. */
export async function upgradePlan(flags: UpgradePlanFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const { client } = await context.target();
    const plans = await planUpgrade(client, context);
    await printValue(plans, flags.output, () => plansText(plans));
  });
}

/** Upgrades providers and prints the progress. */
export async function upgradeApply(flags: UpgradeApplyFlags): Promise<void> {
  await withRepositories(flags, async (context) => {
    const { client } = await context.target();
    const plan = await planOf(flags, context);
    if (flags.dryRun === true) return printValue(plan, flags.output, () => plansText([plan]));
    await refuseEmbedded(client, 'to upgrade the providers, install a newer slipway and restart it');
    const print = (text: string): void => {
      if (flags.output === undefined) process.stdout.write(`${text}\n`);
    };
    print('Performing upgrade...');
    const nameOf = (provider: InstalledProvider): string =>
      `${labelOf(provider)} ${provider.version} in ${provider.namespace}`;
    const steps = {
      onScaleDown: (provider: InstalledProvider) => print(`Scaling down ${nameOf(provider)}`),
      onInstall: (provider: InstalledProvider) => print(`Installing ${nameOf(provider)}`),
    };
    const queue = await applyUpgrade(client, plan, steps, context);
    if (flags.waitProviders) {
      print('Waiting for providers to be available...');
      await waitForProviders(client, queue, { ...context, timeoutMs: flags.waitProviderTimeout });
    }
    return printValue(plan, flags.output, () => (queue.length === 0 ? 'You are already up to date!\n' : ''));
  });
}

async function planOf(flags: UpgradeApplyFlags, context: CommandContext): Promise<UpgradePlan> {
  const named = namedProviders(flags);
  const isNamed = Object.keys(named).length > 0;
  if ((flags.contract !== undefined) === isNamed)
    throw new CliError(
      isNamed
        ? `The --contract flag can't be used in combination with ${providerFlagNames}`
        : `Either the --contract flag or at least one of the following flags has to be set: ${providerFlagNames}`,
      { exitCode: exitCodes.usage },
    );
  const { client } = await context.target();
  return flags.contract === undefined
    ? planTo(named, client, context)
    : planToContract(flags.contract, client, context);
}
