import type { Clock, Logger, Random } from '@slipway/base';
import { parseApiVersion } from '@slipway/kube';
import {
  type CertificateSource,
  type Client,
  type ControllerWebhooks,
  type ConversionHandler,
  fileCertificates,
  injectCaBundle,
  type Runnable,
  SecretCertificates,
  type WebhookClientConfig,
  WebhookServer,
} from '@slipway/runtime';
import { addKindWebhooks, caBundleTargetsOf, type KindSet, writeKindWebhooks } from '@slipway/plane';
import type { ManagerFlags } from './command.js';

export interface WebhookDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Namespace of the webhook Service and the certificate Secret. */
  readonly namespace: string;
}

export interface WebhookSet {
  /** Webhooks of the controllers. */
  readonly webhooks: readonly ControllerWebhooks[];
  readonly kindSet?: KindSet | undefined;
}

/** Returns the webhook server, or undefined if there are no webhooks or the server is disabled. */
export function openWebhooks(
  flags: ManagerFlags,
  webhookSet: WebhookSet,
  dependencies: WebhookDependencies,
): Runnable | undefined {
  const { webhooks, kindSet } = webhookSet;
  if ((webhooks.length === 0 && kindSet === undefined) || flags.webhookPort === 0) return undefined;
  const { client, clock, logger } = dependencies;
  const server = new WebhookServer({
    address: `${flags.webhookHost}:${flags.webhookPort}`,
    certificates: certificatesOf(flags, dependencies),
    minVersion: flags.tlsMinVersion,
    clock,
    logger,
    onCaBundle: async (bundle) => {
      if (kindSet !== undefined) await publishKinds(flags, kindSet, bundle, dependencies);
      for (const { caBundleTargets } of webhooks)
        if (caBundleTargets !== undefined) await injectCaBundle(client, caBundleTargets, bundle);
    },
  });
  for (const { validating = [], mutating = [] } of webhooks) {
    for (const { path, handler } of validating) server.validate(path, handler);
    for (const { path, handler } of mutating) server.mutate(path, handler);
  }
  if (kindSet === undefined) return server.convert(conversionOf(webhooks));
  addKindWebhooks(server, kindSet);
  return server;
}

function certificatesOf(flags: ManagerFlags, dependencies: WebhookDependencies): CertificateSource {
  const { webhookService: service, webhookCertDir: directory, webhookUrl } = flags;
  const { webhookCertName: certificateName, webhookKeyName: keyName } = flags;
  if (directory !== undefined) return fileCertificates({ directory, certificateName, keyName });
  const { namespace } = dependencies;
  const hosts =
    webhookUrl === undefined
      ? [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`]
      : [new URL(webhookUrl).hostname.replace(/^\[|\]$/g, '')];
  return new SecretCertificates({ ...dependencies, secret: { namespace, name: `${service}-cert` }, hosts });
}

/** Writes the CRDs and webhook configurations, or, if they are installed by other means, only injects the CA bundle. */
async function publishKinds(
  flags: ManagerFlags,
  kindSet: KindSet,
  bundle: string,
  dependencies: WebhookDependencies,
): Promise<void> {
  if (!flags.installCrds) return injectCaBundle(dependencies.client, caBundleTargetsOf(kindSet), bundle);
  const caBundle = Buffer.from(bundle).toString('base64');
  const written = await writeKindWebhooks(
    kindSet,
    (path) => ({ ...clientConfigOf(flags, dependencies, path), caBundle }),
    dependencies,
  );
  dependencies.logger.info({ definitions: written.length }, 'CRDs are up to date');
}

function clientConfigOf(flags: ManagerFlags, { namespace }: WebhookDependencies, path: string): WebhookClientConfig {
  const { webhookService: name, webhookUrl } = flags;
  return webhookUrl === undefined ? { service: { namespace, name, path } } : { url: new URL(path, webhookUrl).href };
}

function conversionOf(webhooks: readonly ControllerWebhooks[]): ConversionHandler {
  const handlers = new Map(webhooks.flatMap(({ conversions }) => [...(conversions ?? [])]));
  return (object, apiVersion) => {
    const { kind, apiVersion: from } = object as { readonly kind: string; readonly apiVersion: string };
    const name = `${kind}.${parseApiVersion(from).group}`;
    const convert = handlers.get(name);
    if (convert === undefined) throw new Error(`no conversion registered for ${name}`);
    return convert(object, apiVersion);
  };
}
