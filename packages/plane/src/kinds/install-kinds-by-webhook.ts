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
  /** Where to serve: `:9443`. */
  readonly address: string;
  readonly certificates: CertificateSource;
  /** Where the API server finds a path: behind a Service, or at a URL with the port that was bound. */
  readonly clientConfigOf: (path: string, port: number) => Omit<WebhookClientConfig, 'caBundle'>;
}

const fieldManager = 'slipway';

/**
 * Serves a set on a Kubernetes elsewhere. For a manager's `webhooks`: once it answers, the definitions and configurations
 * are written with the bundle to trust in them, and again whenever the bundle changes; caches start after that.
 */
export function installKindsByWebhook(kindSet: KindSet, options: KindsByWebhookOptions): WebhookServer {
  const { clientConfigOf, ...world } = options;
  const server = new WebhookServer({
    ...world,
    onCaBundle: async (bundle) => {
      const caBundle = Buffer.from(bundle).toString('base64');
      const at: ClientConfigOf = (path) => ({ ...clientConfigOf(path, server.port), caBundle });
      const written = await writeKindWebhooks(kindSet, at, world);
      world.logger.info({ kinds: kindSet.name, definitions: written }, 'Kinds are served by webhook');
    },
  });
  addKindWebhooks(server, kindSet);
  return server;
}

/** The definitions first: rules of kinds that are not served have nobody to ask about. */
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
