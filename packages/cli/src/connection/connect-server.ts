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

/** Selects the server, with kubectl's flags. */
export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
}

export interface ConnectOptions extends ServerFlags {
  /** User agent, as shown in the audit log of the server. */
  readonly agent: string;
  readonly rateLimit?: RateLimit;
  readonly onWarning: (text: string) => void;
}

export interface ConnectedServer {
  readonly client: HttpClient;
  readonly connection: ContextConfig;
}

const probeTimeoutMs = 15_000;

/** Connects to the management cluster. Probes it first, so that an unreachable server fails fast. */
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
    // The server is reachable: a user without access to /version may still have access to everything that is needed.
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
    // With a context the kubeconfig is used, even in a pod.
    return context === undefined ? findConnection(options) : connectionOf(loadKubeconfig(options), options);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    const remedy =
      file === undefined && context === undefined
        ? 'start a management plane with `slipway up`, or select a management cluster with --kubeconfig and --context'
        : 'check --kubeconfig and --context';
    throw new CliError(`cannot find a management cluster: ${error.message}`, { remedy, cause: error });
  }
}

function connectError(flags: ServerFlags, connection: ContextConfig, error: unknown): unknown {
  const { server, context } = connection;
  const args = kubectlArguments(flags, context);
  if (error instanceof ConnectionError) {
    const remedy =
      error.failure === 'tls'
        ? `compare certificate-authority-data with the server certificate: \`kubectl${args} config view\``
        : isLocal(server)
          ? 'start the management plane with `slipway up`, or select another management cluster with --kubeconfig'
          : `check that the server runs and is reachable: \`kubectl${args} get --raw /version\``;
    return new CliError(`${error.message} (context ${context})`, { remedy, cause: error });
  }
  if (isReason(error, 'Unauthorized')) {
    return new CliError(`${server} rejected the credentials of context ${context}: ${error.message}`, {
      remedy: `check whether the credentials have expired: \`kubectl${args} auth whoami\``,
      cause: error,
    });
  }
  if (error instanceof StatusError)
    return new CliError(`unexpected response from ${server}: ${error.message}`, { cause: error });
  return error;
}

/** Returns whether the server is on this host, and so most likely a management plane of `slipway up`. */
function isLocal(server: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(server).hostname);
}

/** Returns flags with which a suggested kubectl command reaches the same server. */
function kubectlArguments(flags: ServerFlags, context: string): string {
  const file = flags.kubeconfig === undefined ? '' : ` --kubeconfig ${flags.kubeconfig}`;
  return context === 'in-cluster' ? file : `${file} --context ${context}`;
}
