import { join } from 'node:path';
import { Command, Option } from 'commander';
import { defaultDataDirectory } from '../../instance/index.js';
import { devVCenterCommand } from './vcenter-command.js';
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
