import { serverVersion } from '@slipway/apiserver';
import { clusterApiLevel } from '@slipway/clusterctl';
import { Command, Option } from 'commander';
import type { OutputFormat } from '../../options/common-options.js';
import { printValue } from '../../output/index.js';
import { slipwayVersion } from '../../version.js';

export function versionCommand(): Command {
  return new Command('version')
    .summary('Print the version')
    .description('Print the version of slipway, and the Kubernetes and Cluster API versions that it serves.')
    .addOption(new Option('-o, --output <format>', 'Output format.').choices(['json', 'yaml', 'short']))
    .addHelpText(
      'after',
      `
Examples:
  slipway version
  slipway version -o json
  slipway version -o short`,
    )
    .action(async ({ output }: { readonly output?: OutputFormat | 'short' }) => {
      const { gitVersion: kubernetes } = serverVersion;
      const value = { version: slipwayVersion, kubernetes, clusterApi: clusterApiLevel, node: process.version };
      const full = `slipway ${value.version} (Kubernetes API ${kubernetes}, Cluster API ${clusterApiLevel}, Node ${value.node})\n`;
      if (output === 'short') process.stdout.write(`v${slipwayVersion}\n`);
      else await printValue(value, output, () => full);
    });
}
