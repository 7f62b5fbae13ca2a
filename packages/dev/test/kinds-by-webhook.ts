import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { DefinitionLookup, installKindsByWebhook } from '@slipway/plane';
import { type Client, type ConnectionConfig, createHttpClient, SecretCertificates } from '@slipway/runtime';
import { allKinds } from './all-kinds.js';
import type { KindsTarget } from './kinds-conformance.js';
import { callerOf } from './raw-request.js';

/** Installs the kinds with admission and conversion webhooks on the connected server. */
export async function serveByWebhook(
  connection: ConnectionConfig,
  stop: () => Promise<void>,
): Promise<KindsTarget & { readonly client: Client }> {
  const client = createHttpClient(connection);
  const dependencies = { client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const definitions = new DefinitionLookup(dependencies);
  const secret = { namespace: 'default', name: 'webhook-cert' };
  const webhooks = installKindsByWebhook(
    allKinds((name) => definitions.find(name)),
    {
      ...dependencies,
      address: '127.0.0.1:0',
      certificates: new SecretCertificates({ ...dependencies, secret, hosts: ['127.0.0.1'] }),
      clientConfigOf: (path, port) => ({ url: `https://127.0.0.1:${port}${path}` }),
    },
  );
  await webhooks.start();
  return {
    client,
    call: callerOf(connection),
    async stop() {
      await webhooks.stop();
      await definitions.dispose();
      client.close();
      await stop();
    },
  };
}
