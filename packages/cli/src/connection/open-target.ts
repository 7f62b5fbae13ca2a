import { dataDirectory, findInstance } from '../instance/index.js';
import { type ConnectedServer, connectServer, type ServerFlags } from './connect-server.js';

/** Options of every command that works on a management cluster. */
export interface TargetFlags extends ServerFlags {
  readonly namespace?: string;
  /** Data directory of the running `slipway up` to use when no kubeconfig is set. */
  readonly dataDir?: string;
  /** API server warnings to hide. By default, those that the user cannot act on. */
  readonly hideApiWarnings?: 'default' | 'all' | 'none';
}

/** The management cluster that a command works on. */
export interface Target extends ConnectedServer {
  /** Namespace from the flag, or else from the context. */
  readonly namespace: string;
  /** Path of the kubeconfig in use, if it is a single file, for suggested commands. */
  readonly kubeconfig: string | undefined;
}

/** Selects a kubeconfig in this order: the flags, KUBECONFIG, a running `slipway up`, kubectl's default. */
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

/** Runs `work` on the management cluster and always closes the connection. Ctrl-C aborts the signal. */
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

/**
 * Matches warnings that the user cannot act on: Cluster API finalizers have no path, moved objects keep their API versions, and a
 * command that follows the objects of a cluster reads kinds that the user did not name.
 */
const expected = /^metadata\.finalizers: .*prefer a domain-qualified finalizer name/;
const deprecated = / is deprecated$/;

function isShown(text: string, hidden: TargetFlags['hideApiWarnings'] = 'default'): boolean {
  if (hidden === 'all') return false;
  return hidden === 'none' || !(expected.test(text) || deprecated.test(text));
}
