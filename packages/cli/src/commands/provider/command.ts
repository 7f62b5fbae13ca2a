import { Command } from 'commander';
import { addVerboseOption } from '../../options/common-options.js';

export interface ScaffoldFlags {
  readonly directory?: string;
}

export function providerCommand(): Command {
  return new Command('provider')
    .summary('Develop a provider outside of Slipway')
    .description(
      'Develop a provider outside of Slipway, which `slipway up --plugin` and `slipway manager --plugin` load.',
    )
    .addCommand(scaffoldCommand());
}

function scaffoldCommand(): Command {
  const command = new Command('scaffold')
    .summary('Write the project of a new infrastructure provider')
    .description(
      'Write a TypeScript project with the kinds, the controllers, a cluster template and a conformance test of a new ' +
        'infrastructure provider. Its infrastructure is simulated until you replace src/cloud.ts.',
    )
    .argument('<name>', 'Name of the provider: lowercase letters, digits and dashes.')
    .option('--directory <path>', 'Directory to write to. It must be empty or new. Defaults to ./<name>-provider.')
    .addHelpText(
      'after',
      `
Examples:
  slipway provider scaffold lake
  slipway provider scaffold my-cloud --directory ./provider`,
    )
    .action(async (name: string, flags: ScaffoldFlags) => {
      const { scaffold } = await import('./run.js');
      await scaffold(name, flags);
    });
  return addVerboseOption(command);
}
