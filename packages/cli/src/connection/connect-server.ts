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
  type RateLimit,
} from '@slipway/runtime';
import { CliError } from '../errors/index.js';
import { slipwayVersion } from '../version.js';

/** Which server: as kubectl users say it. */
export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
}

export interface ConnectOptions extends ServerFlags {
  /** Who asks, as the server's audit log has it. */
  readonly agent: string;
  readonly rateLimit?: RateLimit;
  readonly onWarning: (text: string) => void;
}

export interface ConnectedServer {
  readonly client: HttpClient;
  readonly connection: ContextConfig;
}

const probeTimeoutMs = 15_000;

/** The server to work on, once it has answered: a command that waits in silence helps nobody. */
export async function connectServer(
  options: ConnectOptions,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ConnectedServer> {
  const connection = readConnection(options, env);
  const { agent, rateLimit, onWarning } = options;
  const client = createHttpClient(connection, {
    userAgent: `${agent}/${slipwayVersion}`,
    ...(rateLimit && { rateLimit }),
    onWarning,
  });
  try {
    await client.getRaw('/version', { timeoutMs: probeTimeoutMs, signal });
  } catch (error) {
    // Whoever may not read the version may still read everything that is needed.
    if (isReason(error, 'Forbidden')) return { client, connection };
    client.close();
    throw connectError(options, connection, error);
  }
  return { client, connection };
}

export function readConnection(flags: ServerFlags, env: NodeJS.ProcessEnv = process.env): ContextConfig {
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

function connectError(flags: ServerFlags, connection: ContextConfig, error: unknown): unknown {
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
function kubectlWords(flags: ServerFlags, context: string): string {
  const file = flags.kubeconfig === undefined ? '' : ` --kubeconfig ${flags.kubeconfig}`;
  return context === 'in-cluster' ? file : `${file} --context ${context}`;
}
