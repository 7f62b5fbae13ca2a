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
    .summary('bring installed providers to newer versions')
    .description('Brings the providers of a management cluster to newer versions.')
    .addCommand(planCommand())
    .addCommand(applyCommand());
}

function planCommand(): Command {
  const command = new Command('plan')
    .summary('tell what could be upgraded')
    .description('Tells for each provider which newer version there is, by contract. Nothing is changed.');
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
    .summary('upgrade')
    .description(
      'Upgrades all providers to the newest version under a contract, or some to the versions named. Managers stand still ' +
        'meanwhile; clusters go on. What was interrupted is finished by running it again.',
    )
    .option('--contract <version>', 'all providers to the newest version under this contract: v1beta2');
  addProviderOptions(command, '[ns/]name:version')
    .addOption(waitProvidersOption())
    .addOption(waitProviderTimeoutOption())
    .option('--dry-run', 'tell what would be upgraded, and change nothing');
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
