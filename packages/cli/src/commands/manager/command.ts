import { Command, InvalidArgumentError, Option } from 'commander';
import {
  contextOption,
  kubeconfigContextOption,
  parseCount,
  parseMilliseconds,
  parsePort,
  parseSwitch,
  type SetExitCode,
} from '../../options/common-options.js';
import { type PluginFlags, pluginOption } from '../../options/plugin-option.js';
import { type Simulated, simulateOption } from '../../options/simulate-option.js';
import type { DiagnosticsFlags } from '../../process/diagnostics.js';
import type { ControllerBundle } from '../../providers/controller-bundle.js';

export interface ManagerFlags extends DiagnosticsFlags, PluginFlags {
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly namespace: string;
  readonly watchFilter: string;
  readonly provider: readonly string[];
  readonly controllers: readonly string[];
  readonly concurrency: readonly string[];
  readonly featureGates: string;
  readonly installCrds: boolean;
  readonly simulate: readonly Simulated[];
  readonly openshiftReleases?: string;
  readonly syncPeriod: number;
  readonly dryRun: boolean;
  readonly kubeApiQps: number;
  readonly kubeApiBurst: number;
  readonly leaderElect: boolean;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionId: string;
  readonly shards?: number;
  readonly clustercacheClientQps: number;
  readonly clustercacheClientBurst: number;
  readonly clustercacheConcurrency: number;
  readonly webhookHost: string;
  readonly webhookPort: number;
  readonly webhookCertDir?: string;
  readonly webhookCertName: string;
  readonly webhookKeyName: string;
  readonly webhookService: string;
  readonly webhookUrl?: string;
  readonly logFormat?: 'text' | 'json';
  readonly loggingFormat?: 'text' | 'json';
  /** `-v` without a number sets the highest verbosity. */
  readonly v: number | true;
}

/** `bundle` replaces the built-in providers in tests. */
export function managerCommand(setExitCode: SetExitCode, bundle?: ControllerBundle): Command {
  const command = addManagerFlags(new Command('manager'));
  return command.action(async (flags: ManagerFlags) => {
    const { manager } = await import('./run.js');
    setExitCode(await manager(flags, command.args, bundle));
  });
}

/**
 * Names of the controllers' flags. They are copied here so that help does not load the controllers; a test compares the lists.
 */
export const controllerFlags: readonly string[] = [
  'additional-sync-machine-annotations',
  'additional-sync-machine-labels',
  'bootstrap-token-ttl',
  'credentials-file',
  'etcd-call-timeout-duration',
  'etcd-dial-timeout-duration',
  'kvm-default-backend',
  'machineset-preflight-checks',
  'network-provider',
  'remote-conditions-grace-period',
  'remote-connection-grace-period',
  'skip-crd-migration-phases',
  'vm-operator-api-version',
];

/** Flags that are accepted without effect, so that the arguments of an upstream Deployment can be used unchanged. */
export const ignoredFlags: ReadonlySet<string> = new Set([
  'contention-profiling',
  'etcd-client-log-level',
  'profiler-address',
]);

/** Adds the flags of the command. Flags of the controllers stay in its arguments and are parsed later. */
function addManagerFlags(command: Command): Command {
  command
    .summary('Run the controllers against an existing Kubernetes cluster')
    .description(
      'Run only the controllers, against an existing Kubernetes cluster, by kubeconfig or in-cluster. Flags are named as ' +
        'in the upstream managers.',
    )
    .allowUnknownOption()
    .allowExcessArguments();
  for (const option of [...serverFlags(), ...workFlags(), ...electionFlags(), ...endpointFlags(), ...logFlags()])
    command.addOption(option);
  return command.addHelpText(
    'after',
    `
Each controller also accepts --<controller>-concurrency <number>.
Controller-specific flags:
${controllerFlags.map((name) => `  --${name}\n`).join('')}
Flags of the upstream managers that are accepted and ignored:
${[...ignoredFlags].map((name) => `  --${name}\n`).join('')}
Examples:
  slipway manager --kubeconfig ./company.conf --install-crds
  slipway manager --leader-elect --namespace clusters
  slipway manager --shards 8 --concurrency machine=50,cluster=20
  slipway manager --dry-run --controllers machine
  slipway manager --plugin @example/my-provider --install-crds
  slipway manager --openshift-releases ./releases --install-crds --leader-elect`,
  );
}

function flag(flags: string, description: string): Option {
  return new Option(flags, description);
}

function toggle(name: string, description: string): Option {
  return flag(`--${name} [boolean]`, description).default(false).argParser(parseSwitch);
}

/** Returns a flag with a duration. Help shows its default as text, such as 15s. */
function duration(name: string, text: string, description: string): Option {
  return flag(`--${name} <time>`, description).default(parseMilliseconds(text), text).argParser(parseMilliseconds);
}

function serverFlags(): Option[] {
  return [
    flag(
      '--kubeconfig <file>',
      'Kubeconfig of the management cluster. Defaults to $KUBECONFIG, the service account of the pod, or ~/.kube/config, in this order.',
    ),
    contextOption(),
    kubeconfigContextOption(),
    flag('--kube-api-qps <number>', 'Maximum average number of requests per second. 0 disables the limit.')
      .default(100)
      .argParser(parseCount),
    flag('--kube-api-burst <number>', 'Maximum burst of requests.').default(200).argParser(parseCount),
    flag(
      '--clustercache-client-qps <number>',
      'Maximum average number of requests per second to one workload cluster. 0 disables the limit.',
    )
      .default(0)
      .argParser(parseCount),
    flag('--clustercache-client-burst <number>', 'Maximum burst of requests to one workload cluster.')
      .default(30)
      .argParser(parseCount),
    flag(
      '--clustercache-concurrency <number>',
      'Maximum number of workload clusters to which connections are opened at the same time.',
    )
      .default(100)
      .argParser(parseCount),
    toggle('install-crds', 'Install or update the CRDs before the controllers start.'),
  ];
}

function workFlags(): Option[] {
  return [
    flag('--namespace <name>', 'Reconcile only objects in this namespace.').default('', 'all'),
    flag(
      '--watch-filter <value>',
      'Reconcile only objects whose label cluster.x-k8s.io/watch-filter has this value.',
    ).default('', 'all'),
    flag('--provider <labels>', 'Run only the controllers, CRDs and webhooks of these providers.')
      .default([], 'all')
      .argParser(parseList),
    flag(
      '--controllers <names>',
      'Controllers or sets of controllers to run, comma-separated. A name with the prefix - is disabled.',
    )
      .default(['*'], 'all')
      .argParser(parseList),
    flag(
      '--concurrency <name=number>',
      'Number of objects that a controller reconciles at the same time. Can be repeated.',
    )
      .default([], '10 each')
      .argParser((text: string, before: readonly string[]) => [...before, ...parseList(text)]),
    flag('--feature-gates <A=true,B=false>', 'Feature gates to enable or disable.').default('', 'none'),
    simulateOption(),
    pluginOption(),
    flag(
      '--openshift-releases <folder>',
      'Run as the Cluster API operator of an OpenShift cluster, and install its providers from this directory.',
    ),
    duration('sync-period', '10m', 'Interval at which all objects are resynced.'),
    toggle(
      'dry-run',
      'Log the changes that the controllers would make without making them. API writes are validated by the server and ' +
        'not stored, no infrastructure API is called, and no webhooks are served.',
    ),
  ];
}

function electionFlags(): Option[] {
  return [
    toggle('leader-elect', 'Enable leader election.'),
    duration(
      'leader-elect-lease-duration',
      '15s',
      'Duration that candidates wait before they take over the lease of a leader that does not renew it.',
    ),
    duration(
      'leader-elect-renew-deadline',
      '10s',
      'Duration for which the leader retries to renew the lease before it gives up.',
    ),
    duration('leader-elect-retry-period', '2s', 'Interval between retries.'),
    flag(
      '--leader-election-namespace <name>',
      'Namespace of the Leases. Defaults to the namespace of the pod or of the context.',
    ),
    flag('--leader-election-id <name>', 'Name, or name prefix, of the Lease.').default('slipway-manager'),
    flag(
      '--shards <number>',
      'Number of shards. Run several managers with the same value; each reconciles the clusters of the shards it holds.',
    ).argParser(parseShards),
  ];
}

function endpointFlags(): Option[] {
  return [
    flag(
      '--diagnostics-address <address>',
      'Address of /metrics, /debug and /debug/changes, with TLS and authorization by the API server. 0 disables them.',
    ).default(':8443'),
    toggle('insecure-diagnostics', 'Serve the diagnostics without TLS and without authentication.'),
    flag('--health-addr <address>', 'Address of /healthz and /readyz. 0 disables them.').default(':9440'),
    flag('--webhook-port <number>', 'Port of the webhook server. 0 disables it.').default(9443).argParser(parsePort),
    flag('--webhook-host <address>', 'IP address of the webhook server.').default('', 'all'),
    flag(
      '--webhook-cert-dir <directory>',
      'Directory with externally managed tls.crt, tls.key and ca.crt. If not set, the manager issues them and stores them in a Secret.',
    ),
    flag('--webhook-cert-name <file>', 'File name of the certificate in that directory.').default('tls.crt'),
    flag('--webhook-key-name <file>', 'File name of the private key in that directory.').default('tls.key'),
    flag('--tls-min-version <version>', 'Minimum TLS version. One of: VersionTLS12, VersionTLS13.')
      .default('TLSv1.2', 'VersionTLS12')
      .argParser(parseTlsVersion),
    flag('--webhook-service <name>', 'Name of the Service of the webhook server.').default('slipway-webhook-service'),
    flag('--webhook-url <url>', 'URL of the webhook server, for an API server that cannot use the Service.').argParser(
      parseUrl,
    ),
  ];
}

function logFlags(): Option[] {
  return [
    flag('--log-format <format>', 'Log format. Defaults to text on a terminal, and to json otherwise.').choices([
      'text',
      'json',
    ]),
    flag('--logging-format <format>', 'Upstream name of --log-format.').choices(['text', 'json']),
    flag('-v, --v [level]', 'Log verbosity. 4 or higher logs all details.').default(0).argParser(parseLevel),
  ];
}

function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:')
    throw new InvalidArgumentError('The value must be an HTTPS URL, such as https://10.0.0.5:9443.');
  return text;
}

function parseTlsVersion(text: string): string {
  const [, minor] = /^VersionTLS1([23])$/.exec(text) ?? [];
  if (minor === undefined) throw new InvalidArgumentError('The value must be VersionTLS12 or VersionTLS13.');
  return `TLSv1.${minor}`;
}

function parseShards(text: string): number {
  const shards = parseCount(text);
  if (shards < 1 || shards > 1_000) throw new InvalidArgumentError('The value must be from 1 to 1000.');
  return shards;
}

/** Parses a log level. Commander passes `-v=4` with its equals sign. */
function parseLevel(text: string): number {
  return parseCount(text.replace(/^=/, ''));
}
