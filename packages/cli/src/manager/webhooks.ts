import type { Clock, Logger, Random } from '@slipway/base';
import { parseApiVersion } from '@slipway/kube';
import {
  type Client,
  type ControllerWebhooks,
  type ConversionHandler,
  fileCertificates,
  injectCaBundle,
  type Runnable,
  SecretCertificates,
  WebhookServer,
} from '@slipway/runtime';
import type { ManagerFlags } from '../commands/manager.js';

export interface WebhookWorld {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where the Service and the Secret are. */
  readonly namespace: string;
}

/** A server for what the controllers want to be asked; undefined when there is nothing, or it is not wanted. */
export function openWebhooks(
  flags: ManagerFlags,
  webhooks: readonly ControllerWebhooks[],
  world: WebhookWorld,
): Runnable | undefined {
  if (webhooks.length === 0 || flags.webhookPort === 0) return undefined;
  const { client, namespace, clock, logger } = world;
  const { webhookService: service, webhookCertDir: directory } = flags;
  const server = new WebhookServer({
    address: `${flags.webhookHost}:${flags.webhookPort}`,
    certificates:
      directory === undefined
        ? new SecretCertificates({
            ...world,
            secret: { namespace, name: `${service}-cert` },
            hosts: [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`],
          })
        : fileCertificates({ directory }),
    clock,
    logger,
    onCaBundle: async (bundle) => {
      for (const { caBundleTargets } of webhooks)
        if (caBundleTargets !== undefined) await injectCaBundle(client, caBundleTargets, bundle);
    },
  });
  for (const { validating = [], mutating = [] } of webhooks) {
    for (const { path, handler } of validating) server.validate(path, handler);
    for (const { path, handler } of mutating) server.mutate(path, handler);
  }
  return server.convert(conversionOf(webhooks));
}

function conversionOf(webhooks: readonly ControllerWebhooks[]): ConversionHandler {
  const handlers = new Map(webhooks.flatMap(({ conversions }) => [...(conversions ?? [])]));
  return (object, apiVersion) => {
    const { kind, apiVersion: from } = object as { readonly kind: string; readonly apiVersion: string };
    const name = `${kind}.${parseApiVersion(from).group}`;
    const convert = handlers.get(name);
    if (convert === undefined) throw new Error(`there is no conversion for ${name}`);
    return convert(object, apiVersion);
  };
}
