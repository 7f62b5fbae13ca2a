import { fileURLToPath } from 'node:url';
import type { KubernetesServer } from '@slipway/apiserver';
import { type Logger, systemClock, systemRandom } from '@slipway/base';
import { builtinConfig, readConfig } from '@slipway/clusterctl';
import { Console, type ConsoleOptions, type Person, whoAmI } from '@slipway/console';
import { HandlerTransport } from '@slipway/plane';
import { type ConnectionConfig, createHttpClient } from '@slipway/runtime';
import { builtinProviders } from '../providers/builtin-providers.js';

/** The built pages: they lie beside the bundle that this is part of. */
export const consoleAssets: string = fileURLToPath(new URL('./console/', import.meta.url));

/** Bundled apart, for it is loaded on a thread of its own. */
export const planThread: URL = new URL('./plan-thread.mjs', import.meta.url);

export interface PlaneConsoleOptions {
  readonly server: KubernetesServer;
  readonly logger: Logger;
  readonly remoteActions: boolean;
  readonly vcenterSessions?: ConsoleOptions['vcenterSessions'];
  readonly changes?: ConsoleOptions['changes'];
}

/** The console of a management plane in this process. Its visitors come to the API as themselves, by its front door. */
export function openPlaneConsole(options: PlaneConsoleOptions): Promise<Console> {
  const { server, logger, remoteActions, vcenterSessions, changes } = options;
  const enter = (parts: Partial<ConnectionConfig>, clientCertificate?: Uint8Array): Promise<Person | undefined> => {
    const transport = new HandlerTransport({
      handle: (request) => server.handler.handle(request),
      ...(clientCertificate && { clientCertificate }),
    });
    return recognise(createHttpClient({ server: 'https://in.process', ...parts }, { transport, userAgent: 'slipway' }));
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
    readOutlooks,
    ...(vcenterSessions && { vcenterSessions }),
    ...(changes && { changes }),
    doorkeeper: {
      byToken: (token) => enter({ token: { data: token } }),
      byCertificate: (certificate) => enter({}, certificate),
    },
  });
}

const anonymous = 'system:anonymous';

/** Undefined for whom the server does not know. */
export async function recognise(client: ReturnType<typeof createHttpClient>): Promise<Person | undefined> {
  try {
    const name = await whoAmI(client);
    if (name !== '' && name !== anonymous) return { name, client, close: () => client.close() };
  } catch {
    // He is told that nobody knows him; more is nobody's business before he has signed in.
  }
  client.close();
  return undefined;
}

/** What `slipway upgrade plan` would say, by the same configuration: read anew each time, for it may have changed. */
export const readOutlooks: NonNullable<ConsoleOptions['readOutlooks']> = async (client, { mayFetch, signal }) => {
  // With all kinds of the operator, which nobody needs before.
  const { providerOutlooks } = await import('@slipway/operator');
  const fetching = { clock: systemClock, signal };
  const config = await readConfig({ env: process.env, builtin: builtinProviders.map(builtinConfig) }, fetching);
  const management = { client, namespace: 'default' };
  const world = { ...fetching, config, builtin: builtinProviders, management: () => Promise.resolve(management) };
  return providerOutlooks(client, world, { mayFetch, signal });
};
