import { fileURLToPath } from 'node:url';
import type { KubernetesServer } from '@slipway/apiserver';
import { type Logger, systemClock, systemRandom } from '@slipway/base';
import { builtinConfig, readConfig } from '@slipway/clusterctl';
import { Console, type ConsoleOptions, type User, whoAmI } from '@slipway/console';
import { HandlerTransport } from '@slipway/plane';
import { type ConnectionConfig, createHttpClient } from '@slipway/runtime';
import { availableProviders } from '../providers/builtin-providers.js';

/** Directory of the built pages, next to this bundle. */
export const consoleAssets: string = fileURLToPath(new URL('./console/', import.meta.url));

/** URL of the module that runs plans on a separate thread. The thread needs a separate bundle. */
export const planThread: URL = new URL('./plan-thread.mjs', import.meta.url);

export interface PlaneConsoleOptions {
  readonly server: KubernetesServer;
  readonly logger: Logger;
  readonly remoteActions: boolean;
  readonly oidc: NonNullable<ConsoleOptions['oidc']>;
  readonly vcenterSessions?: ConsoleOptions['vcenterSessions'];
  readonly changes?: ConsoleOptions['changes'];
}

/** Opens the console of the management plane in this process. Requests reach the API with the credentials of the console user. */
export function openPlaneConsole(options: PlaneConsoleOptions): Promise<Console> {
  const { server, logger, remoteActions, oidc, vcenterSessions, changes } = options;
  const authenticateWith = (
    parts: Partial<ConnectionConfig>,
    clientCertificate?: Uint8Array,
  ): Promise<User | undefined> => {
    const transport = new HandlerTransport({
      handle: (request) => server.handler.handle(request),
      ...(clientCertificate && { clientCertificate }),
    });
    return authenticate(
      createHttpClient({ server: 'https://in.process', ...parts }, { transport, userAgent: 'slipway' }),
    );
  };
  return Console.open({
    assets: consoleAssets,
    planThread,
    clock: systemClock,
    random: systemRandom,
    logger,
    loopbackOnly: false,
    secure: true,
    remoteActions,
    oidc,
    readOutlooks,
    ...(vcenterSessions && { vcenterSessions }),
    ...(changes && { changes }),
    authenticator: {
      authenticateToken: (token) => authenticateWith({ token: { data: token } }),
      authenticateCertificate: (certificate) => authenticateWith({}, certificate),
    },
  });
}

const anonymous = 'system:anonymous';

/** Returns the user of a client, or undefined if it is not authenticated. */
export async function authenticate(client: ReturnType<typeof createHttpClient>): Promise<User | undefined> {
  try {
    const name = await whoAmI(client);
    if (name !== '' && name !== anonymous) return { name, client, close: () => client.close() };
  } catch {
    // The error is not returned: no details are disclosed before the user has signed in.
  }
  client.close();
  return undefined;
}

/** Returns the result of `slipway upgrade plan` with the same configuration, which is read again each time. */
export const readOutlooks: NonNullable<ConsoleOptions['readOutlooks']> = async (client, { mayFetch, signal }) => {
  // Loaded on demand, because it includes all CRDs of the operator.
  const { providerOutlooks } = await import('@slipway/operator');
  const fetching = { clock: systemClock, signal };
  const config = await readConfig({ env: process.env, builtin: availableProviders().map(builtinConfig) }, fetching);
  const management = { client, namespace: 'default' };
  const dependencies = {
    ...fetching,
    config,
    builtin: availableProviders(),
    management: () => Promise.resolve(management),
  };
  return providerOutlooks(client, dependencies, { mayFetch, signal });
};
