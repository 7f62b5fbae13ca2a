import type { Clock, Logger, Random } from '@slipway/base';
import type { CustomResourceDefinition } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import type { Registry } from 'prom-client';
import type { WebhookRule } from '../builtin-resources/index.js';
import type { Client } from '../client/index.js';
import type { AnyPredicate, Controller, Sources } from '../controller/index.js';
import type { AdmissionHandler, CaBundleTargets, ConversionHandler } from '../webhook/index.js';
import type { FeatureGate, FeatureGates } from './feature-gates.js';
import type { SharedService } from './shared-service.js';
import type { Setting, Settings } from './settings.js';

/** Dependencies of a controller. They are the same for the embedded and for an external API server. */
export interface ControllerContext {
  readonly client: Client;
  readonly sources: Sources;
  /** Returns a service that the controllers of this process share. */
  shared<T>(service: SharedService<T>): T;
  readonly clock: Clock;
  readonly random: Random;
  /** Source of private keys: one pool for all controllers, because key generation is CPU-bound. */
  readonly keys: KeySource;
  readonly logger: Logger;
  /** Registry for additional metrics. The common metrics of controllers are added automatically. */
  readonly metrics: Registry;
  readonly featureGates: FeatureGates;
  /** Values of the manager flags that the set's controllers define. */
  readonly settings: Settings;
  /** Filters objects by `--watch-filter`. Each controller includes it in its predicates. */
  readonly watchFilter: AnyPredicate;
  /** The watched namespace; '' for all namespaces. */
  readonly namespace: string;
  /** Maximum number of concurrent reconciles. */
  readonly concurrency: number;
}

export interface ControllerDescriptor {
  /** Name in logs, metrics and `--controllers`. Unique among all sets. */
  readonly name: string;
  /** Name of the concurrency flag. Set only if upstream's manager does not call it `<name>-concurrency`. */
  readonly concurrencyFlag?: string;
  readonly concurrencyDefault?: number;
  /** Feature gate of the set that enables the controller. */
  readonly featureGate?: string;
  readonly create: (context: ControllerContext) => Controller;
}

export interface AdmissionWebhook {
  /** Name of the webhook in its configuration, such as `validation.cluster.cluster.x-k8s.io`. */
  readonly name: string;
  readonly path: string;
  /** The requests for which the webhook is called. */
  readonly rules: readonly WebhookRule[];
  readonly handler: AdmissionHandler;
}

/** Admission and conversion handlers. An external API server calls them over HTTPS, the embedded one in process. */
export interface ControllerWebhooks {
  readonly validating?: readonly AdmissionWebhook[];
  readonly mutating?: readonly AdmissionWebhook[];
  /** Conversion handlers by `Kind.group`. */
  readonly conversions?: ReadonlyMap<string, ConversionHandler>;
  /** The webhook configurations that receive the CA bundle. */
  readonly caBundleTargets?: CaBundleTargets;
}

/** A group of controllers, such as those of one provider, with everything they need. */
export interface ControllerSet {
  readonly name: string;
  readonly controllers: readonly ControllerDescriptor[];
  readonly featureGates?: readonly FeatureGate[];
  /** Settings of the set's controllers, which are flags of the manager. */
  readonly settings?: readonly Setting<unknown>[];
  readonly customResourceDefinitions?: () => readonly CustomResourceDefinition[];
  readonly webhooks?: (context: Omit<ControllerContext, 'concurrency'>) => ControllerWebhooks;
}
