import type { ApproverFlags } from '@slipway/openshift';
import { Command, Option } from 'commander';
import {
  addVerboseOption,
  parseCount,
  parseMilliseconds,
  parseSwitch,
  type SetExitCode,
} from '../../options/common-options.js';

export interface MachineApproverFlags extends ApproverFlags {
  readonly config?: string;
  readonly managementClusterKubeconfig?: string;
  readonly workloadClusterKubeconfig?: string;
  readonly leaderElect: boolean;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceName: string;
  readonly leaderElectResourceNamespace: string;
  readonly verbose?: boolean;
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export function machineApproverCommand(setExitCode: SetExitCode): Command {
  const command = new Command('machine-approver')
    .summary('Approve certificate signing requests of known machines')
    .description(
      'Approve the client and serving certificate signing requests of kubelets that belong to known Machines, as ' +
        'cluster-machine-approver does, with the same flags. Other requests are neither approved nor denied. ' +
        'METRICS_PORT and METRICS_BIND_ADDRESS set the metrics endpoint, RELEASE_VERSION the reported version.',
    )
    .option(
      '--config <file>',
      'Configuration file (YAML). nodeClientCert.disabled: true disables the approval of client certificates.',
    )
    .addOption(
      new Option(
        '--api-group-version <group>',
        'API group, or group/version, of the Machines. Can be repeated (default: machine.openshift.io).',
      ).argParser(collect),
    )
    .addOption(new Option('--apigroup-version <group>', 'Alias of --api-group-version.').argParser(collect).hideHelp())
    .addOption(new Option('--apigroup <group>', 'Deprecated: use --api-group-version.').hideHelp())
    .option(
      '--management-cluster-kubeconfig <file>',
      'Kubeconfig of the cluster with the Machines. Defaults to the service account of this pod.',
    )
    .option(
      '--workload-cluster-kubeconfig <file>',
      'Kubeconfig of the cluster with the signing requests. Defaults to the service account of this pod.',
    )
    .option('--machine-namespace <name>', 'Namespace of the Machines. Defaults to all namespaces.')
    .addOption(toggle('disable-status-controller', 'Do not update the ClusterOperator machine-approver.', false))
    .addOption(
      new Option(
        '--max-concurrent-reconciles <number>',
        'Number of signing requests that are reconciled at the same time.',
      )
        .default(1)
        .argParser(parseCount),
    );
  for (const option of electionOptions()) command.addOption(option);
  command.addHelpText(
    'after',
    `
Examples:
  slipway machine-approver --api-group-version=cluster.x-k8s.io
  slipway machine-approver --management-cluster-kubeconfig hub.conf \\
    --workload-cluster-kubeconfig spoke.conf`,
  );
  return addVerboseOption(command).action(
    async ({ apigroupVersion = [], ...flags }: MachineApproverFlags & { readonly apigroupVersion?: string[] }) => {
      const { machineApprover } = await import('./run.js');
      const apiGroupVersion = [...(flags.apiGroupVersion ?? []), ...apigroupVersion];
      setExitCode(await machineApprover({ ...flags, apiGroupVersion }));
    },
  );
}

function toggle(name: string, description: string, given: boolean): Option {
  return new Option(`--${name} [boolean]`, description).default(given).argParser(parseSwitch);
}

/**
 * Returns the flags of leader election. Their defaults are those of OpenShift's operators: a lease survives the restart of an API
 * server.
 */
function electionOptions(): readonly Option[] {
  const time = (name: string, text: string, description: string): Option =>
    new Option(`--leader-elect-${name} <time>`, description)
      .default(parseMilliseconds(text), text)
      .argParser(parseMilliseconds);
  return [
    toggle('leader-elect', 'Enable leader election.', true),
    time('lease-duration', '137s', 'Duration of the lease.'),
    time('renew-deadline', '107s', 'Duration for which the leader retries to renew the lease.'),
    time('retry-period', '26s', 'Interval between retries.'),
    new Option('--leader-elect-resource-name <name>', 'Name of the Lease.').default('cluster-machine-approver-leader'),
    new Option('--leader-elect-resource-namespace <name>', 'Namespace of the Lease.').default(
      'openshift-cluster-machine-approver',
      'openshift-cluster-machine-approver',
    ),
  ];
}
