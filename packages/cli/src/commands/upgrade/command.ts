import { Command } from 'commander';
import { addTargetOptions, addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';
import {
  addProviderOptions,
  type ProviderFlags,
  waitProvidersOption,
  waitProviderTimeoutOption,
} from '../../options/provider-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface UpgradePlanFlags {
  readonly output?: OutputFormat;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
}

export interface UpgradeApplyFlags extends UpgradePlanFlags, ProviderFlags {
  readonly contract?: string;
  readonly waitProviders: boolean;
  readonly waitProviderTimeout: number;
  readonly dryRun?: boolean;
}

export function upgradeCommand(): Command {
  return new Command('upgrade')
    .summary('Upgrade installed providers')
    .description('Upgrade the providers of a management cluster.')
    .addCommand(planCommand())
    .addCommand(applyCommand());
}

function planCommand(): Command {
  const command = new Command('plan')
    .summary('Show available provider upgrades')
    .description(
      'Show the available newer versions of each provider, by contract. The management cluster is not changed.',
    );
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway upgrade plan
  slipway upgrade plan -o json | jq '.[].items[] | select(.nextVersion)'`,
    )
    .action(async (flags: UpgradePlanFlags) => {
      const { upgradePlan } = await import('./run.js');
      await upgradePlan(flags);
    });
  return addVerboseOption(command);
}

function applyCommand(): Command {
  const command = new Command('apply')
    .summary('Upgrade providers')
    .description(
      'Upgrade all providers to the latest version of a contract, or selected providers to given versions. The ' +
        'controllers are scaled down during the upgrade; workload clusters keep running. Run the command again to resume ' +
        'an interrupted upgrade.',
    )
    .option('--contract <version>', 'Upgrade all providers to the latest version of this contract, such as v1beta2.');
  addProviderOptions(command, '[ns/]name:version')
    .addOption(waitProvidersOption())
    .addOption(waitProviderTimeoutOption())
    .option('--dry-run', 'Print the upgrades without making them.');
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway upgrade apply --contract v1beta2
  slipway upgrade apply --core cluster-api:v1.14.3 --infrastructure dev:v1.14.3`,
    )
    .action(async (flags: UpgradeApplyFlags) => {
      const { upgradeApply } = await import('./run.js');
      await upgradeApply(flags);
    });
  return addVerboseOption(command);
}
