import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type SetExitCode,
} from '../../options/common-options.js';

export interface KVMMigrateOptions extends TargetFlags {
  readonly kubernetesVersion: string;
  readonly imageUrl: string;
  readonly filename?: string;
  readonly pki?: string;
  readonly apply: boolean;
}

export interface KVMExportOptions extends TargetFlags {
  readonly to: 'vsphere' | 'metal3';
}

export function kvmCommand(setExitCode: SetExitCode): Command {
  return new Command('kvm')
    .summary('bring clusters of QEMU machines here, and take them elsewhere')
    .description('Takes over clusters of the operator before this provider, and writes templates for other providers.')
    .addCommand(migrateCommand(setExitCode))
    .addCommand(exportCommand(setExitCode));
}

function migrateCommand(setExitCode: SetExitCode): Command {
  const command = new Command('migrate')
    .summary('take over a cluster of kvm-operator while it runs')
    .description(
      'Turns a KVMConfig into objects of Cluster API and says what to do in which order. With --apply the operator before ' +
        'is paused and the objects are made: running machines become Machines, and none is restarted.',
    )
    .argument('[name]', 'the KVMConfig, in this cluster; or give --filename')
    .requiredOption('--kubernetes-version <version>', 'the one that the cluster runs')
    .requiredOption('--image-url <url>', 'what machines boot that take the place of the old ones')
    .option('-f, --filename <file>', 'a file with the KVMConfig')
    .option(
      '--pki <directory>',
      'the authorities of the cluster, as kubeadm has them: ca, etcd/ca, sa and maybe front-proxy-ca',
    )
    .option('--apply', 'do it, instead of writing it down', false)
    .addHelpText(
      'after',
      `
Examples:
  slipway kvm migrate al9qy -n default --kubernetes-version v1.35.0 \\
    --image-url https://images.example.com/node.qcow2
  slipway kvm migrate -f al9qy.yaml --kubernetes-version v1.35.0 \\
    --image-url https://images.example.com/node.qcow2 --apply`,
    )
    .action(async (name: string | undefined, options: KVMMigrateOptions) => {
      const { migrateKVM } = await import('./run.js');
      setExitCode(await migrateKVM(name, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}

function exportCommand(setExitCode: SetExitCode): Command {
  const command = new Command('export')
    .summary('write the template of machines for another provider')
    .description('Writes a KVMMachineTemplate as one of another provider, and says what cannot come along.')
    .argument('<template>', 'the KVMMachineTemplate')
    .addOption(
      new Option('--to <provider>', 'whose template is to be written')
        .choices(['vsphere', 'metal3'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway kvm export abc-worker --to vsphere > abc-worker-vsphere.yaml`,
    )
    .action(async (template: string, options: KVMExportOptions) => {
      const { exportKVM } = await import('./run.js');
      setExitCode(await exportKVM(template, options));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}
