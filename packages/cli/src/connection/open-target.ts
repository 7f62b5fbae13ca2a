import { dataDirectory, findInstance } from '../instance/index.js';
import { type ConnectedServer, connectServer, type ServerFlags } from './connect-server.js';

/** What every command that works on a management cluster takes. */
export interface TargetFlags extends ServerFlags {
  readonly namespace?: string;
  /** Whose running `slipway up` is meant when no kubeconfig is. */
  readonly dataDir?: string;
  /** Which warnings of the server are not shown, beside those that nobody can do anything about. */
  readonly hideApiWarnings?: 'default' | 'all' | 'none';
}

/** The management cluster that a command works on. */
export interface Target extends ConnectedServer {
  /** Asked for, or that of the context. */
  readonly namespace: string;
  /** The kubeconfig that was used, where it was one file: for the commands that are told to the user. */
  readonly kubeconfig: string | undefined;
}

/** The one of the flags, of KUBECONFIG, a `slipway up` that runs, or the one that kubectl would use: in this order. */
export async function openTarget(
  flags: TargetFlags,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Target> {
  const kubeconfig = flags.kubeconfig ?? (await runningPlane(flags, env));
  const server = await connectServer(
    {
      kubeconfig,
      kubeconfigContext: flags.kubeconfigContext,
      agent: 'slipway',
      onWarning: (text) => {
        if (isShown(text, flags.hideApiWarnings)) process.stderr.write(`Warning: ${text}\n`);
      },
    },
    signal,
    env,
  );
  return { ...server, kubeconfig, namespace: flags.namespace ?? server.connection.namespace };
}

/** Runs `work` on the management cluster, and closes the connection whatever happens. Ctrl-C aborts the signal. */
export async function withTarget<T>(
  flags: TargetFlags,
  work: (target: Target, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const onInterrupt = (): void => stopping.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  try {
    const target = await openTarget(flags, stopping.signal);
    try {
      return await work(target, stopping.signal);
    } finally {
      target.client.close();
    }
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

async function runningPlane(flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (flags.kubeconfigContext !== undefined || (env['KUBECONFIG'] ?? '') !== '') return undefined;
  const instance = await findInstance(dataDirectory(flags.dataDir));
  return instance?.run?.kubeconfig;
}

/** The finalizers of Cluster API have no path, and never will; and whoever moves objects did not choose their versions. */
const expected = /^metadata\.finalizers: .*prefer a domain-qualified finalizer name/;
const deprecated = / is deprecated$/;

function isShown(text: string, hidden: TargetFlags['hideApiWarnings']): boolean {
  if (hidden === 'all') return false;
  return hidden === 'none' || !(expected.test(text) || (hidden === 'default' && deprecated.test(text)));
}
