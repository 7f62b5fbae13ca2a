import { Command, Option } from 'commander';
import type { SetExitCode } from './options.js';

export interface DevVCenterOptions {
  readonly vcsim: string;
  readonly listen: string;
  readonly template: string;
}

export function devCommand(setExitCode: SetExitCode): Command {
  return new Command('dev')
    .summary('play what a laptop lacks')
    .description(
      'Plays infrastructure for those who have none. See also --simulate of `slipway up` and `slipway manager`.',
    )
    .addCommand(vcenterCommand(setExitCode));
}

function vcenterCommand(setExitCode: SetExitCode): Command {
  return new Command('vcenter')
    .summary('run a simulated vCenter until Ctrl-C')
    .description(
      'Runs govmomi’s simulator of a vCenter, with a template that machines can be cloned from, and prints the ' +
        'variables that `slipway generate cluster --infrastructure vsphere` asks for.',
    )
    .option('--vcsim <program>', 'the simulator: a path, or a name on the PATH', 'vcsim')
    .option('--listen <address>', 'where it listens', '127.0.0.1:8989')
    .addOption(new Option('--template <name>', 'the name of the template').default('ubuntu-2404-kube-v1.35.0'))
    .addHelpText(
      'after',
      `
Examples:
  slipway dev vcenter > vsphere.env
  slipway dev vcenter --vcsim ./vcsim --listen 127.0.0.1:0`,
    )
    .action(async (options: DevVCenterOptions) => {
      const { devVCenter } = await import('../dev/vcenter.js');
      setExitCode(await devVCenter(options));
    });
}
