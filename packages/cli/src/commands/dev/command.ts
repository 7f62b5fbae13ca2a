import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultDataDirectory } from '../../instance/index.js';
import { addVerboseOption, parsePort, type SetExitCode } from '../../options/common-options.js';

export interface DevOpenShiftOptions {
  readonly platform: string;
  readonly featureSet: string;
  readonly port: number;
  readonly dataDir: string;
  readonly verbose?: boolean;
}

export function devCommand(setExitCode: SetExitCode): Command {
  return new Command('dev')
    .summary('Run simulated infrastructure for development')
    .description('Run simulated clusters and infrastructure in this terminal, for development and evaluation.')
    .addCommand(openShiftCommand(setExitCode))
    .addCommand(devVCenterCommand(setExitCode));
}

function openShiftCommand(setExitCode: SetExitCode): Command {
  const command = new Command('openshift')
    .summary('Run a simulated OpenShift cluster')
    .description(
      'Run a simulated OpenShift cluster in this terminal: its CRDs, the objects that its installer creates, Cluster API ' +
        'as its operator installs it, and an infrastructure provider that simulates machines. Ctrl-C stops it.',
    )
    .addOption(
      new Option('--platform <name>', 'Platform of the cluster.')
        .choices(['aws', 'azure', 'gcp', 'baremetal', 'openstack', 'vsphere', 'powervs', 'nutanix'])
        .default('aws'),
    )
    .addOption(
      new Option(
        '--feature-set <name>',
        'Feature set of the cluster. Default disables Cluster API; DevPreviewNoUpgrade enables the migration of machines.',
      )
        .choices(['Default', 'TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'])
        .default('TechPreviewNoUpgrade'),
    )
    .addOption(new Option('--port <number>', 'Port to listen on.').default(6443).argParser(parsePort))
    .addOption(
      new Option('--data-dir <directory>', 'Data directory.').default(
        join(defaultDataDirectory(), 'openshift'),
        'openshift in the data directory of `slipway up`',
      ),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway dev openshift --platform aws
  slipway dev openshift --platform vsphere --feature-set Default --port 7443`,
    )
    .action(async (options: DevOpenShiftOptions) => {
      const { devOpenShift } = await import('./run-openshift.js');
      setExitCode(await devOpenShift(options));
    });
  return addVerboseOption(command);
}

export interface DevVCenterOptions {
  readonly vcsim: string;
  readonly listen: string;
  readonly template: string;
  readonly addresses: string;
}

function devVCenterCommand(setExitCode: SetExitCode): Command {
  return new Command('vcenter')
    .summary('Run a simulated vCenter')
    .description(
      'Run govmomi’s vCenter simulator in this terminal, with a VM template to clone machines from, and print the ' +
        'variables that `slipway generate cluster --infrastructure vsphere` requires. Ctrl-C stops it. Machines boot in ' +
        'memory if the management plane runs with --simulate vcenter.',
    )
    .option('--vcsim <program>', 'Simulator program: a path, or a name on the PATH.', 'vcsim')
    .option('--listen <address>', 'Address to listen on.', '127.0.0.1:8989')
    .option('--template <name>', 'Name of the VM template.', 'ubuntu-2404-kube-v1.35.0')
    .option('--addresses <prefix>', 'Prefix of the IPv4 addresses of its machines.', parsePrefix, '10.20')
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
    throw new InvalidArgumentError('The value must be the first two numbers of an IPv4 address, such as 10.20.');
  return text;
}
