import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parsePort, type SetExitCode } from '../../options/common-options.js';
import { type Simulated, simulateOption } from '../../options/simulate-option.js';

export interface UpOptions {
  readonly port: number;
  readonly bind: string;
  readonly dataDir: string;
  readonly apiOnly?: boolean;
  readonly featureGates: string;
  readonly simulate: readonly Simulated[];
  readonly quickStart?: boolean;
  readonly remoteConsoleActions?: boolean;
  readonly kubeconfig?: string;
  readonly logFormat?: 'text' | 'json';
  readonly verbose?: boolean;
}

export function upCommand(setExitCode: SetExitCode): Command {
  const command = new Command('up')
    .summary('start the management plane in this terminal')
    .description(
      'Starts the management plane in this terminal: a Kubernetes API server with its own ' +
        'storage. The first start makes the certificates. Ctrl-C stops it; a second Ctrl-C does ' +
        'so at once, which loses nothing that was acknowledged.',
    )
    .addOption(new Option('--port <number>', 'port to serve on; 0 picks a free one').default(6443).argParser(parsePort))
    .option('--bind <address>', 'address to serve on; 0.0.0.0 for every one of this machine', '127.0.0.1')
    .addOption(dataDirectoryOption('where everything is kept; one process at a time uses it'))
    .option('--quick-start', 'also make a first workload cluster, in memory, and say how to reach it')
    .option(
      '--remote-console-actions',
      'let people on other machines act in the console under /console; else they only look',
    )
    .option('--api-only', 'serve the Kubernetes API alone: no kinds and no controllers of Cluster API')
    .addOption(
      new Option('--feature-gates <A=true,B=false>', 'switch features of the controllers on and off').default(
        '',
        'as they are',
      ),
    )
    .addOption(simulateOption())
    .addOption(
      new Option(
        '--kubeconfig <file>',
        'where to write the administrator’s kubeconfig; other clusters in the file are kept',
      ).default(undefined, 'admin.conf in the data directory'),
    )
    .addOption(
      new Option('--log-format <format>', 'text, or JSON lines; JSON when the log is not a terminal').choices([
        'text',
        'json',
      ]),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway up
  slipway up --quick-start
  slipway up --port 0 --data-dir ./plane --kubeconfig ./plane.conf
  slipway up --feature-gates ClusterTopology=true
  slipway up --simulate vcenter,supervisor
  slipway up --bind 0.0.0.0 --log-format json 2>plane.log`,
    )
    .action(async (options: UpOptions) => {
      const { up } = await import('./run.js');
      setExitCode(await up(options));
    });
  return addVerboseOption(command);
}
