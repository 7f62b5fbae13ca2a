import { type Clock, type Disposable, type Logger, type Random, Scope } from '@slipway/base';
import type { Registry as MetricsRegistry } from 'prom-client';
import type { AdmissionPlugin, Authorizer, Store } from '../contract/index.js';
import type { WebhookClient } from '../http/index.js';
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
import { MutatingPolicies } from './policies/mutating-policies.js';
import { ValidatingPolicies } from './policies/validating-policies.js';
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
  /** Whether Pods need an existing service account. Default: true. */
  readonly requireServiceAccounts?: boolean;
  /** Metrics of webhook calls. */
  readonly metrics: MetricsRegistry;
}

/** Adds the default admission plugins, and those for configured policies and webhooks. */
export function installAdmission(chain: AdmissionChain, options: InstallAdmissionOptions): Disposable {
  const scope = new Scope();
  const equivalents = new Equivalents(options.definitions);
  for (const plugin of builtInPlugins(options)) scope.add(chain.add(plugin));
  for (const plugin of configuredPlugins(options, equivalents)) {
    scope.add(plugin);
    scope.add(chain.add(plugin));
  }
  return scope;
}

function builtInPlugins(options: InstallAdmissionOptions): readonly AdmissionPlugin[] {
  const { store, clock, random, requireServiceAccounts = true } = options;
  return [
    ...(requireServiceAccounts ? [serviceAccount({ store, clock, random })] : []),
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
