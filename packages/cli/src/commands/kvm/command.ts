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
    .summary('Migrate kvm-operator clusters, and convert machine templates for other providers')
    .description(
      'Migrate kvm-operator clusters to the KVM provider, and convert KVMMachineTemplates to templates of other providers.',
    )
    .addCommand(migrateCommand(setExitCode))
    .addCommand(exportCommand(setExitCode));
}

function migrateCommand(setExitCode: SetExitCode): Command {
  const command = new Command('migrate')
    .summary('Migrate a running kvm-operator cluster to Cluster API')
    .description(
      'Convert a KVMConfig to Cluster API objects and print the migration steps. With --apply, kvm-operator is paused and ' +
        'the objects are created: running VMs become Machines without a restart.',
    )
    .argument('[name]', 'Name of the KVMConfig in the management cluster. Alternatively, use --filename.')
    .requiredOption('--kubernetes-version <version>', 'Kubernetes version that the cluster runs.')
    .requiredOption('--image-url <url>', 'Image that replacement machines boot.')
    .option('-f, --filename <file>', 'File with the KVMConfig.')
    .option(
      '--pki <directory>',
      'Directory with the CAs of the cluster in the layout of kubeadm: ca, etcd/ca, sa and optionally front-proxy-ca.',
    )
    .option('--apply', 'Apply the generated objects instead of printing them.', false)
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
    .summary('Convert a machine template to another provider')
    .description(
      'Convert a KVMMachineTemplate to the template of another provider, and report the fields that have no equivalent.',
    )
    .argument('<template>', 'Name of the KVMMachineTemplate.')
    .addOption(new Option('--to <provider>', 'Target provider.').choices(['vsphere', 'metal3']).makeOptionMandatory())
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
