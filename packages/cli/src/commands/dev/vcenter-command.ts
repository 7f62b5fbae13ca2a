import { Command, InvalidArgumentError } from 'commander';
import type { SetExitCode } from '../../options/common-options.js';

export interface DevVCenterOptions {
  readonly vcsim: string;
  readonly listen: string;
  readonly template: string;
  readonly addresses: string;
}

export function devVCenterCommand(setExitCode: SetExitCode): Command {
  return new Command('vcenter')
    .summary('run a simulated vCenter')
    .description(
      'Runs govmomi’s simulator of a vCenter in this terminal, with a template that machines can be cloned from, and ' +
        'prints the variables that `slipway generate cluster --infrastructure vsphere` asks for. Ctrl-C stops it. ' +
        'Machines boot in memory when the management plane has --simulate vcenter.',
    )
    .option('--vcsim <program>', 'the simulator: a path, or a name on the PATH', 'vcsim')
    .option('--listen <address>', 'where it listens', '127.0.0.1:8989')
    .option('--template <name>', 'the name of the template', 'ubuntu-2404-kube-v1.35.0')
    .option('--addresses <prefix>', 'what the addresses of its machines begin with', parsePrefix, '10.20')
    .addHelpText(
      'after',
      `
Examples:
  slipway dev vcenter > vsphere.env
  slipway dev vcenter --vcsim ./vcsim --listen 127.0.0.1:0`,
    )
    .action(async (options: DevVCenterOptions) => {
      const { devVCenter } = await import('./run-vcenter.js');
      setExitCode(await devVCenter(options));
    });
}

function parsePrefix(text: string): string {
  const parts = text.split('.');
  if (parts.length !== 2 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255))
    throw new InvalidArgumentError('It is the first two numbers of an IPv4 address, such as 10.20.');
  return text;
}
