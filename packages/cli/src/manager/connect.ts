import type { Logger } from '@slipway/base';
import { isReason, StatusError } from '@slipway/kube';
import {
  ConnectionError,
  type ContextConfig,
  connectionOf,
  createHttpClient,
  findConnection,
  type HttpClient,
  KubeconfigError,
  loadKubeconfig,
} from '@slipway/runtime';
import type { ManagerFlags } from '../commands/manager.js';
import { CliError } from '../errors/index.js';
import { slipwayVersion } from '../version.js';

export interface ManagedServer {
  readonly client: HttpClient;
  readonly connection: ContextConfig;
}

const probeTimeoutMs = 15_000;

/** The server to work on, once it has answered: a manager that waits in silence helps nobody. */
export async function connect(
  flags: ManagerFlags,
  logger: Logger,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ManagedServer> {
  const connection = readConnection(flags, env);
  const { kubeApiQps: perSecond, kubeApiBurst: burst } = flags;
  const client = createHttpClient(connection, {
    userAgent: `slipway-manager/${slipwayVersion}`,
    ...(perSecond > 0 && { rateLimit: { perSecond, burst: Math.max(burst, 1) } }),
    onWarning: (text) => logger.warn({ warning: text }, 'The server warns'),
  });
  try {
    await client.getRaw('/version', { timeoutMs: probeTimeoutMs, signal });
  } catch (error) {
    // Whoever may not read the version may still read everything that is needed.
    if (isReason(error, 'Forbidden')) return { client, connection };
    client.close();
    throw connectError(flags, connection, error);
  }
  return { client, connection };
}

function readConnection(flags: ManagerFlags, env: NodeJS.ProcessEnv): ContextConfig {
  const { kubeconfig: file, kubeconfigContext: context } = flags;
  const options = { env, ...(file !== undefined && { file }), ...(context !== undefined && { context }) };
  try {
    // Whoever names a context means a kubeconfig, in a pod as well.
    return context === undefined ? findConnection(options) : connectionOf(loadKubeconfig(options), options);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new CliError(error.message, {
      remedy: 'give the file with --kubeconfig and its context with --kubeconfig-context',
      cause: error,
    });
  }
}

function connectError(flags: ManagerFlags, connection: ContextConfig, error: unknown): unknown {
  const { server, context } = connection;
  const words = kubectlWords(flags, context);
  if (error instanceof ConnectionError) {
    const remedy =
      error.failure === 'tls'
        ? `compare certificate-authority-data with the server’s certificate: \`kubectl${words} config view\``
        : `is it running, and reachable from here? \`kubectl${words} get --raw /version\``;
    return new CliError(`${error.message} (context ${context})`, { remedy, cause: error });
  }
  if (isReason(error, 'Unauthorized')) {
    return new CliError(`${server} does not know the user of context ${context}: ${error.message}`, {
      remedy: `its credentials may have expired: \`kubectl${words} auth whoami\``,
      cause: error,
    });
  }
  if (error instanceof StatusError)
    return new CliError(`${server} does not answer as expected: ${error.message}`, { cause: error });
  return error;
}

/** So that the command that we name asks the same server. */
export function kubectlWords(flags: ManagerFlags, context: string): string {
  const file = flags.kubeconfig === undefined ? '' : ` --kubeconfig ${flags.kubeconfig}`;
  return context === 'in-cluster' ? file : `${file} --context ${context}`;
}
