import { Command, InvalidArgumentError, Option } from 'commander';
import {
  parseCount,
  parseMilliseconds,
  parsePort,
  parseSwitch,
  type SetExitCode,
} from '../../options/common-options.js';
import { type Simulated, simulateOption } from '../../options/simulate-option.js';
import type { DiagnosticsFlags } from '../../process/diagnostics.js';
import type { Cargo } from '../../providers/controllers.js';

export interface ManagerFlags extends DiagnosticsFlags {
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
  /** Without a number: as much as there is. */
  readonly v: number | true;
}

/** `cargo` in place of what this program carries: for tests. */
export function managerCommand(setExitCode: SetExitCode, cargo?: Cargo): Command {
  const command = addManagerFlags(new Command('manager'));
  return command.action(async (flags: ManagerFlags) => {
    const { manager } = await import('./run.js');
    setExitCode(await manager(flags, command.args, cargo));
  });
}

/** What the controllers can be told; their sets say more, and a test compares. They are not loaded for help alone. */
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

/** So that arguments of a stock Deployment can be taken over as they are. */
export const ignoredFlags: ReadonlySet<string> = new Set([
  'contention-profiling',
  'etcd-client-log-level',
  'profiler-address',
]);

/** What the command takes. Flags that the controllers bring along are left in its arguments. */
function addManagerFlags(command: Command): Command {
  command
    .summary('run the controllers on a Kubernetes that is there')
    .description(
      'Runs the controllers, and nothing else, on a Kubernetes that is there: the one of a kubeconfig, or the one ' +
        'whose pod this is. Flags are named as upstream’s managers name them.',
    )
    .allowUnknownOption()
    .allowExcessArguments();
  for (const option of [...serverFlags(), ...workFlags(), ...electionFlags(), ...endpointFlags(), ...logFlags()])
    command.addOption(option);
  return command.addHelpText(
    'after',
    `
Every controller also has --<controller>-concurrency <number>. Controllers bring
these flags along:
${controllerFlags.map((name) => `  --${name}\n`).join('')}
Flags of upstream's managers that mean nothing here are taken and ignored:
${[...ignoredFlags].map((name) => `  --${name}\n`).join('')}
Examples:
  slipway manager --kubeconfig ./company.conf --install-crds
  slipway manager --leader-elect --namespace clusters
  slipway manager --shards 8 --concurrency machine=50,cluster=20
  slipway manager --dry-run --controllers machine
  slipway manager --openshift-releases /releases --install-crds --leader-elect`,
  );
}

function flag(flags: string, description: string): Option {
  return new Option(flags, description);
}

function toggle(name: string, description: string): Option {
  return flag(`--${name} [boolean]`, description).default(false).argParser(parseSwitch);
}

/** The default is shown as people write it. */
function duration(name: string, text: string, description: string): Option {
  return flag(`--${name} <time>`, description).default(parseMilliseconds(text), text).argParser(parseMilliseconds);
}

function serverFlags(): Option[] {
  return [
    flag('--kubeconfig <file>', 'how to reach the server; else $KUBECONFIG, the pod’s service account, ~/.kube/config'),
    flag('--kubeconfig-context <name>', 'another context than the current one'),
    flag('--kube-api-qps <number>', 'requests a second, on average; 0 for no limit').default(100).argParser(parseCount),
    flag('--kube-api-burst <number>', 'requests at once after a quiet time').default(200).argParser(parseCount),
    flag('--clustercache-client-qps <number>', 'requests a second to one workload cluster; 0 for no limit')
      .default(0)
      .argParser(parseCount),
    flag('--clustercache-client-burst <number>', 'requests at once to one workload cluster after a quiet time')
      .default(30)
      .argParser(parseCount),
    flag('--clustercache-concurrency <number>', 'how many workload clusters are connected to at a time')
      .default(100)
      .argParser(parseCount),
    toggle('install-crds', 'bring the CRDs up to date before anything else'),
  ];
}

function workFlags(): Option[] {
  return [
    flag('--namespace <name>', 'look at this namespace only').default('', 'all'),
    flag(
      '--watch-filter <value>',
      'look only at objects with this value of the label cluster.x-k8s.io/watch-filter',
    ).default('', 'all'),
    flag('--provider <labels>', 'only what these providers bring: controllers, kinds, webhooks')
      .default([], 'all')
      .argParser(parseList),
    flag('--controllers <names>', 'which controllers or sets to run; -name leaves one out')
      .default(['*'], 'all')
      .argParser(parseList),
    flag('--concurrency <name=number>', 'how many objects a controller works on at a time; may be repeated')
      .default([], '10 each')
      .argParser((text: string, before: readonly string[]) => [...before, ...parseList(text)]),
    flag('--feature-gates <A=true,B=false>', 'switch features on and off').default('', 'as they are'),
    simulateOption(),
    flag(
      '--openshift-releases <folder>',
      'be the operator of Cluster API in an OpenShift cluster, and install its providers from this folder',
    ),
    duration('sync-period', '10m', 'how often everything is looked at although nothing changed'),
    toggle(
      'dry-run',
      'log the changes that the controllers would make, without making them: API writes are validated by the server and ' +
        'not stored, no call to infrastructure is made, and no webhooks are served',
    ),
  ];
}

function electionFlags(): Option[] {
  return [
    toggle('leader-elect', 'let one of several managers act'),
    duration('leader-elect-lease-duration', '15s', 'how long others wait for a leader that is silent'),
    duration('leader-elect-renew-deadline', '10s', 'how long a leader goes on without renewing'),
    duration('leader-elect-retry-period', '2s', 'pause between two tries'),
    flag('--leader-election-namespace <name>', 'where the Leases are; else the pod’s or the context’s namespace'),
    flag('--leader-election-id <name>', 'the name of the Lease, or the first part of it').default('slipway-manager'),
    flag('--shards <number>', 'let several managers act, each on its share of the clusters').argParser(parseShards),
  ];
}

function endpointFlags(): Option[] {
  return [
    flag(
      '--diagnostics-address <address>',
      '/metrics, /debug and /debug/changes, with TLS, for users whom the server allows to get them; 0 for none',
    ).default(':8443'),
    toggle('insecure-diagnostics', 'the same without TLS, for everybody'),
    flag('--health-addr <address>', '/healthz and /readyz; 0 for none').default(':9440'),
    flag('--webhook-port <number>', 'where the API server reaches the webhooks; 0 for none')
      .default(9443)
      .argParser(parsePort),
    flag('--webhook-host <address>', 'the address to serve webhooks on').default('', 'every one'),
    flag(
      '--webhook-cert-dir <directory>',
      'tls.crt, tls.key and ca.crt that somebody else keeps fresh; else issued by the manager and kept in a Secret',
    ),
    flag('--webhook-cert-name <file>', 'the certificate in that directory').default('tls.crt'),
    flag('--webhook-key-name <file>', 'its key in that directory').default('tls.key'),
    flag('--tls-min-version <version>', 'the oldest version of TLS to serve: VersionTLS12 or VersionTLS13')
      .default('TLSv1.2', 'VersionTLS12')
      .argParser(parseTlsVersion),
    flag('--webhook-service <name>', 'the Service in front of the webhooks').default('slipway-webhook-service'),
    flag('--webhook-url <url>', 'where the API server reaches the webhooks if there is no Service').argParser(parseUrl),
  ];
}

function logFlags(): Option[] {
  return [
    flag('--log-format <format>', 'text, or JSON lines; JSON when the log is not a terminal').choices(['text', 'json']),
    flag('--logging-format <format>', 'the same, as upstream calls it').choices(['text', 'json']),
    flag('-v, --v [level]', 'how much to say: 4 and more for every detail').default(0).argParser(parseLevel),
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
    throw new InvalidArgumentError('It is an address such as https://10.0.0.5:9443.');
  return text;
}

function parseTlsVersion(text: string): string {
  const [, minor] = /^VersionTLS1([23])$/.exec(text) ?? [];
  if (minor === undefined) throw new InvalidArgumentError('It is VersionTLS12 or VersionTLS13.');
  return `TLSv1.${minor}`;
}

function parseShards(text: string): number {
  const shards = parseCount(text);
  if (shards < 1 || shards > 1_000) throw new InvalidArgumentError('There are 1 to 1000 shards.');
  return shards;
}

/** `-v=4` reaches us with its equals sign. */
function parseLevel(text: string): number {
  return parseCount(text.replace(/^=/, ''));
}
