import { type Clock, type Disposable, type Logger, type Random, Scope } from '@slipway/base';
import type { Registry as MetricsRegistry } from 'prom-client';
import type { Authorizer } from '../auth/index.js';
import type { LoopbackClient } from '../loops/index.js';
import type { Store } from '../storage/index.js';
import type { WebhookClient } from '../webhooks/index.js';
import type { AdmissionPlugin } from './admission.js';
import type { AdmissionChain } from './admission-chain.js';
import { type DefinitionSource, Equivalents } from './matching/equivalents.js';
import type { MatchSources } from './matching/match-resources.js';
import {
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  podSecurityPlugin,
  priority,
  runtimeClass,
  serviceAccount,
  taintNodesByCondition,
} from './plugins/index.js';
import { MutatingPolicies, PolicyStatusLoop, ValidatingPolicies } from './policies/index.js';
import {
  MutatingWebhooks,
  ValidatingWebhooks,
  WebhookCaller,
  WebhookMetrics,
  WebhookSource,
} from './webhooks/index.js';

export interface InstallAdmissionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly authorizer: Authorizer;
  readonly definitions: DefinitionSource;
  readonly webhookClient: WebhookClient;
  /** Counts calls of webhooks. */
  readonly metrics: MetricsRegistry;
  /** Writes the status of policies. */
  readonly client: LoopbackClient;
}

/** Adds the plugins that every cluster has, and those that administrators configure: policies and webhooks. */
export function installAdmission(chain: AdmissionChain, options: InstallAdmissionOptions): Disposable {
  const { store, clock, logger, client, definitions } = options;
  const scope = new Scope();
  const equivalents = new Equivalents(definitions);
  for (const plugin of builtInPlugins(options)) scope.add(chain.add(plugin));
  for (const plugin of configuredPlugins(options, equivalents)) {
    scope.add(plugin);
    scope.add(chain.add(plugin));
  }
  const status = scope.add(new PolicyStatusLoop({ store, clock, logger, client, equivalents, definitions }));
  status.start();
  return scope;
}

function builtInPlugins({ store, clock, random }: InstallAdmissionOptions): readonly AdmissionPlugin[] {
  return [
    serviceAccount({ store, clock, random }),
    taintNodesByCondition,
    podSecurityPlugin(store),
    priority(store),
    defaultTolerationSeconds,
    defaultStorageClass(store),
    runtimeClass(store),
    defaultIngressClass(store),
  ];
}

function configuredPlugins(
  options: InstallAdmissionOptions,
  equivalents: Equivalents,
): readonly (AdmissionPlugin & Disposable)[] {
  const { store, authorizer, random, logger, clock, definitions } = options;
  const sources: MatchSources = { store, equivalents };
  const policies = { sources, params: { store, definitions }, authorizer };
  const caller = new WebhookCaller({
    client: options.webhookClient,
    random,
    logger,
    clock,
    metrics: new WebhookMetrics(options.metrics),
  });
  const webhooks = (resource: string) => ({
    source: new WebhookSource(sources, authorizer, `admissionregistration.k8s.io/${resource}`),
    caller,
    equivalents,
  });
  return [
    new MutatingPolicies(policies),
    new MutatingWebhooks(webhooks('mutatingwebhookconfigurations')),
    new ValidatingPolicies(policies),
    new ValidatingWebhooks(webhooks('validatingwebhookconfigurations')),
  ];
}
