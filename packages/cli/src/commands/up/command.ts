import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parsePort, type SetExitCode } from '../../options/common-options.js';
import { addAuditOptions, type AuditFlags } from '../../options/audit-options.js';
import { addBackupOptions, type BackupFlags } from '../../options/backup-options.js';
import { addConsoleSignInOptions, type ConsoleSignInFlags } from '../../options/console-sign-in-options.js';
import { encryptionOption } from '../../options/encryption-option.js';
import { addTokenWebhookOptions, type TokenWebhookFlags } from '../../options/token-webhook-options.js';
import { type PluginFlags, pluginOption } from '../../options/plugin-option.js';
import { type Simulated, simulateOption } from '../../options/simulate-option.js';

export interface UpOptions extends AuditFlags, BackupFlags, ConsoleSignInFlags, PluginFlags, TokenWebhookFlags {
  readonly port: number;
  readonly bind: string;
  readonly dataDir: string;
  readonly apiOnly?: boolean;
  readonly controllers?: string;
  readonly featureGates: string;
  readonly simulate: readonly Simulated[];
  readonly quickStart?: boolean;
  readonly remoteConsoleActions?: boolean;
  readonly kubeconfig?: string;
  readonly encryptionProviderConfig?: string;
  readonly authenticationConfig?: string;
  readonly logFormat?: 'text' | 'json';
  readonly verbose?: boolean;
}

const examples = `
Examples:
  slipway up
  slipway up --quick-start
  slipway up --api-only --controllers=none
  slipway up --port 0 --data-dir ./plane --kubeconfig ./plane.conf
  slipway up --feature-gates ClusterTopology=true
  slipway up --simulate vcenter,supervisor
  slipway up --plugin ./my-provider
  slipway up --bind 0.0.0.0 --log-format json 2>plane.log
  slipway up --encryption-provider-config encryption.yaml
  slipway up --authentication-config authentication.yaml
  slipway up --backup-every 24h --backup-keep 14
  slipway up --audit-policy-file audit-policy.yaml --audit-log-path audit.log`;

/** Adds options of the API server alone. */
function addServerOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--controllers <list>',
        'Controllers of the API server to run, by the names of kube-controller-manager: * for all, none, or a ' +
          'comma-separated list in which -NAME excludes one. Requires --api-only.',
      ).default(undefined, '*'),
    )
    .addOption(encryptionOption())
    .option(
      '--authentication-config <file>',
      'AuthenticationConfiguration with the OpenID Connect issuers whose tokens are accepted. Changes are applied immediately.',
    );
}

export function upCommand(setExitCode: SetExitCode): Command {
  const command = new Command('up')
    .summary('Run a management plane in the foreground')
    .description(
      'Run a management plane in the foreground: a Kubernetes API server with its own storage, and the Cluster API ' +
        'controllers. The first start generates the certificates. Data of another version is backed up before it is changed. ' +
        'Ctrl-C stops it gracefully, a second Ctrl-C immediately; acknowledged writes are never lost.',
    )
    .addOption(
      new Option('--port <number>', 'Port to listen on. 0 selects a free port.').default(6443).argParser(parsePort),
    )
    .option('--bind <address>', 'IP address to listen on. 0.0.0.0 listens on all addresses of this host.', '127.0.0.1')
    .addOption(dataDirectoryOption('Data directory. Only one process can use it at a time.'))
    .option('--quick-start', 'Also create a workload cluster with simulated machines, and print how to reach it.')
    .option(
      '--remote-console-actions',
      'Allow changes in the web console under /console from other hosts. By default, the console is read-only for them.',
    )
    .option('--api-only', 'Serve only the Kubernetes API, without the CRDs and controllers of Cluster API.')
    .addOption(
      new Option('--feature-gates <A=true,B=false>', 'Feature gates of the controllers to enable or disable.').default(
        '',
        'none',
      ),
    )
    .addOption(simulateOption())
    .addOption(pluginOption())
    .addOption(
      new Option(
        '--kubeconfig <file>',
        'File to write the admin kubeconfig to. Other entries in the file are kept.',
      ).default(undefined, 'admin.conf in the data directory'),
    )
    .addOption(logFormatOption());
  addServerOptions(command);
  addConsoleSignInOptions(addTokenWebhookOptions(command));
  addAuditOptions(addBackupOptions(command))
    .addHelpText('after', examples)
    .action(async (options: UpOptions) => {
      const { up } = await import('./run.js');
      setExitCode(await up(options));
    });
  return addVerboseOption(command);
}

function logFormatOption(): Option {
  return new Option(
    '--log-format <format>',
    'Log format. Defaults to text on a terminal, and to json otherwise. With --quick-start, the log goes only to the log file unless this flag is set.',
  ).choices(['text', 'json']);
}
