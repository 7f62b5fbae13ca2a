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

/** Dependencies of a controller. They do not reveal which server it runs on. */
export interface ControllerContext {
  readonly client: Client;
  readonly sources: Sources;
  /** Services that the controllers of this process share. */
  shared<T>(service: SharedService<T>): T;
  readonly clock: Clock;
  readonly random: Random;
  /** Source of private keys: one pool for all controllers, because key generation is CPU-bound. */
  readonly keys: KeySource;
  readonly logger: Logger;
  /** Registry for metrics beyond those of every controller. */
  readonly metrics: Registry;
  readonly featureGates: FeatureGates;
  /** Feature gates of its set. */
  readonly settings: Settings;
  /** Filters objects by `--watch-filter`. Part of the controller's predicates. */
  readonly watchFilter: AnyPredicate;
  /** The watched namespace; '' for all. */
  readonly namespace: string;
  /** Maximum number of concurrent reconciles. */
  readonly concurrency: number;
}

export interface ControllerDescriptor {
  /** Name in logs, metrics and `--controllers`. Unique among all sets. */
  readonly name: string;
  /** `<name>-concurrency`, unless upstream's manager uses another flag name. */
  readonly concurrencyFlag?: string;
  readonly concurrencyDefault?: number;
  /** The feature gate of its set that enables it. */
  readonly featureGate?: string;
  readonly create: (context: ControllerContext) => Controller;
}

export interface AdmissionWebhook {
  /** Name as in its configuration: `validation.cluster.cluster.x-k8s.io`. */
  readonly name: string;
  readonly path: string;
  /** The requests that it receives. */
  readonly rules: readonly WebhookRule[];
  readonly handler: AdmissionHandler;
}

/** Admission and conversion handlers: served over HTTPS to an external API server, called in-process by the embedded one. */
export interface ControllerWebhooks {
  readonly validating?: readonly AdmissionWebhook[];
  readonly mutating?: readonly AdmissionWebhook[];
  /** By `Kind.group`. */
  readonly conversions?: ReadonlyMap<string, ConversionHandler>;
  /** The webhook configurations that receive the CA bundle. */
  readonly caBundleTargets?: CaBundleTargets;
}

/** A group of controllers, such as those of one provider, with everything they need. */
export interface ControllerSet {
  readonly name: string;
  readonly controllers: readonly ControllerDescriptor[];
  readonly featureGates?: readonly FeatureGate[];
  /** Settings of its controllers that are flags of the manager. */
  readonly settings?: readonly Setting<unknown>[];
  readonly customResourceDefinitions?: () => readonly CustomResourceDefinition[];
  readonly webhooks?: (context: Omit<ControllerContext, 'concurrency'>) => ControllerWebhooks;
}
