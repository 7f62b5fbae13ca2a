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
    .summary('approve certificates of kubelets whose machines are known')
    .description(
      'Approves what kubelets of known Machines ask for, client and serving certificates, and nothing else: what ' +
        'cluster-machine-approver does, by the same flags. It denies nothing. METRICS_PORT and METRICS_BIND_ADDRESS say ' +
        'where metrics are served, RELEASE_VERSION which version it reports.',
    )
    .option('--config <file>', 'YAML; nodeClientCert.disabled: true leaves client certificates to others')
    .addOption(
      new Option(
        '--api-group-version <group>',
        'whose Machines: a group, or group/version; may be given again (default: machine.openshift.io)',
      ).argParser(collect),
    )
    .addOption(new Option('--apigroup-version <group>', 'the same').argParser(collect).hideHelp())
    .addOption(new Option('--apigroup <group>', 'deprecated: one group').hideHelp())
    .option('--management-cluster-kubeconfig <file>', 'where the Machines are; else the cluster of this pod')
    .option('--workload-cluster-kubeconfig <file>', 'whose requests are looked at; else the cluster of this pod')
    .option('--machine-namespace <name>', 'Machines of this namespace only')
    .addOption(toggle('disable-status-controller', 'leave ClusterOperator machine-approver alone', false))
    .addOption(
      new Option('--max-concurrent-reconciles <number>', 'requests that are looked at at a time')
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

/** The times of OpenShift's operators: a lease survives the restart of an API server. */
function electionOptions(): readonly Option[] {
  const time = (name: string, text: string, description: string): Option =>
    new Option(`--leader-elect-${name} <time>`, description)
      .default(parseMilliseconds(text), text)
      .argParser(parseMilliseconds);
  return [
    toggle('leader-elect', 'only one of several acts', true),
    time('lease-duration', '137s', 'how long a lease holds'),
    time('renew-deadline', '107s', 'how long it is tried to renew one'),
    time('retry-period', '26s', 'how often it is tried'),
    new Option('--leader-elect-resource-name <name>', 'the lease').default('cluster-machine-approver-leader'),
    new Option('--leader-elect-resource-namespace <name>', 'its namespace').default(
      'openshift-cluster-machine-approver',
      'openshift-cluster-machine-approver',
    ),
  ];
}
