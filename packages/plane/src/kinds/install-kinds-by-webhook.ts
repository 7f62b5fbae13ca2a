import type { Clock, Logger, Random } from '@slipway/base';
import type { JsonObject, KubeObject } from '@slipway/kube';
import {
  type CertificateSource,
  type Client,
  mutatingWebhookConfigurations,
  type Resource,
  validatingWebhookConfigurations,
  type WebhookClientConfig,
  WebhookServer,
} from '@slipway/runtime';
import { ensureDefinitions } from './ensure-definitions.js';
import type { KindSet } from './kind-set.js';
import {
  addKindWebhooks,
  type ClientConfigOf,
  definitionsByWebhook,
  mutatingConfiguration,
  validatingConfiguration,
} from './kind-webhooks.js';

export interface KindsByWebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Listen address, for example `:9443`. */
  readonly address: string;
  readonly certificates: CertificateSource;
  /** Returns the clientConfig of a webhook path: a reference to a Service, or a URL with the bound port. */
  readonly clientConfigOf: (path: string, port: number) => Omit<WebhookClientConfig, 'caBundle'>;
}

const fieldManager = 'slipway';

/**
 * Installs a set of kinds in an external cluster. Returns the webhook server to pass to a manager as `webhooks`: once it listens,
 * and whenever its CA bundle changes, it writes the CRDs and webhook configurations. The manager starts its caches after that.
 */
export function installKindsByWebhook(kindSet: KindSet, options: KindsByWebhookOptions): WebhookServer {
  const { clientConfigOf, ...dependencies } = options;
  const server = new WebhookServer({
    ...dependencies,
    onCaBundle: async (bundle) => {
      const caBundle = Buffer.from(bundle).toString('base64');
      const at: ClientConfigOf = (path) => ({ ...clientConfigOf(path, server.port), caBundle });
      const written = await writeKindWebhooks(kindSet, at, dependencies);
      dependencies.logger.info(
        { kinds: kindSet.name, definitions: written },
        'Installed CRDs and webhook configurations',
      );
    },
  });
  addKindWebhooks(server, kindSet);
  return server;
}

/** Writes the CRDs, then the webhook configurations: rules for resources that are not served yet have no effect. */
export async function writeKindWebhooks(
  kindSet: KindSet,
  clientConfigOf: ClientConfigOf,
  { client, clock, random }: Pick<KindsByWebhookOptions, 'client' | 'clock' | 'random'>,
): Promise<readonly string[]> {
  const written = await ensureDefinitions(client, definitionsByWebhook(kindSet, clientConfigOf), { clock, random });
  await Promise.all([
    write(client, mutatingWebhookConfigurations, mutatingConfiguration(kindSet, clientConfigOf)),
    write(client, validatingWebhookConfigurations, validatingConfiguration(kindSet, clientConfigOf)),
  ]);
  return written;
}

async function write(client: Client, resource: Resource, configuration: KubeObject): Promise<void> {
  const key = { namespace: '', name: configuration.metadata.name ?? '' };
  await client.apply(resource, key, configuration as unknown as JsonObject, { fieldManager, force: true });
}
