import { serverVersion } from '@slipway/apiserver';
import { Command } from 'commander';
import { printValue } from '../output/index.js';
import { slipwayVersion } from '../version.js';
import { type OutputFormat, outputOption } from './options.js';

export function versionCommand(): Command {
  return new Command('version')
    .summary('print the version')
    .description('Prints the version of the command, and the level of the Kubernetes API that it serves.')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway version
  slipway version -o json`,
    )
    .action(async (options: { readonly output?: OutputFormat }) => {
      const value = { version: slipwayVersion, kubernetes: serverVersion.gitVersion, node: process.version };
      const text = `slipway ${value.version} (Kubernetes API ${value.kubernetes}, Node ${value.node})\n`;
      await printValue(value, options.output, () => text);
    });
}
