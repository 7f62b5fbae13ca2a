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
    .summary('play what is not there, for development')
    .description('Plays clusters of other kinds and infrastructure in this terminal, to develop and to look around.')
    .addCommand(openShiftCommand(setExitCode))
    .addCommand(devVCenterCommand(setExitCode));
}

function openShiftCommand(setExitCode: SetExitCode): Command {
  const command = new Command('openshift')
    .summary('play an OpenShift cluster')
    .description(
      'Plays an OpenShift cluster in this terminal: its own kinds, what its installer leaves behind, Cluster API as its ' +
        'operator brings it, and an infrastructure provider whose machines are only notes. Ctrl-C stops it.',
    )
    .addOption(
      new Option('--platform <name>', 'what it runs on')
        .choices(['aws', 'azure', 'gcp', 'baremetal', 'openstack', 'vsphere', 'powervs', 'nutanix'])
        .default('aws'),
    )
    .addOption(
      new Option(
        '--feature-set <name>',
        'of its FeatureGate; Default leaves Cluster API off, DevPreviewNoUpgrade migrates machines',
      )
        .choices(['Default', 'TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'])
        .default('TechPreviewNoUpgrade'),
    )
    .addOption(new Option('--port <number>', 'port to serve on').default(6443).argParser(parsePort))
    .addOption(
      new Option('--data-dir <directory>', 'where everything is kept').default(
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
