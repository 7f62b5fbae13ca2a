import type { Clock, KeySource, Logger, Random } from '@slipway/base';
import type { CustomResourceDefinition } from '@slipway/kube';
import type { Registry } from 'prom-client';
import type { WebhookRule } from '../builtin-resources/index.js';
import type { Client } from '../client/index.js';
import type { ClusterCache } from '../cluster-cache/index.js';
import type { AnyPredicate, Controller, Sources } from '../controller/index.js';
import type { AdmissionHandler, CaBundleTargets, ConversionHandler } from '../webhook/index.js';
import type { FeatureGate, FeatureGates } from './feature-gates.js';
import type { Setting, Settings } from './settings.js';

/** What a controller may know when it is made. A controller cannot tell which server it runs on. */
export interface ControllerContext {
  readonly client: Client;
  readonly sources: Sources;
  /** The only way to workload clusters. */
  readonly workloads: ClusterCache;
  readonly clock: Clock;
  readonly random: Random;
  /** Where private keys come from: one pool for all, since each takes a core for a while. */
  readonly keys: KeySource;
  readonly logger: Logger;
  /** What it counts beside what is counted of every controller. */
  readonly metrics: Registry;
  readonly featureGates: FeatureGates;
  /** Those of its set, as the user has them. */
  readonly settings: Settings;
  /** Which objects are ours to look at: `--watch-filter`. Goes into the controller's filters. */
  readonly watchFilter: AnyPredicate;
  /** The one namespace that is looked at; '' for all. */
  readonly namespace: string;
  /** How many keys it is to work on at a time. */
  readonly concurrency: number;
}

export interface ControllerDescriptor {
  /** As in logs, metrics and `--controllers`; unique among all sets. */
  readonly name: string;
  /** `<name>-concurrency` unless upstream's manager calls it otherwise. */
  readonly concurrencyFlag?: string;
  readonly concurrencyDefault?: number;
  /** It runs only while this gate of its set is open. */
  readonly featureGate?: string;
  readonly create: (context: ControllerContext) => Controller;
}

export interface AdmissionWebhook {
  /** As in its configuration: `validation.cluster.cluster.x-k8s.io`. */
  readonly name: string;
  readonly path: string;
  /** Which requests it is asked about. */
  readonly rules: readonly WebhookRule[];
  readonly handler: AdmissionHandler;
}

/** Rules and conversions that an API server asks for: over HTTPS on a Kubernetes elsewhere, by a call on the embedded one. */
export interface ControllerWebhooks {
  readonly validating?: readonly AdmissionWebhook[];
  readonly mutating?: readonly AdmissionWebhook[];
  /** By `Kind.group`. */
  readonly conversions?: ReadonlyMap<string, ConversionHandler>;
  /** The configurations that are told which authority to trust. */
  readonly caBundleTargets?: CaBundleTargets;
}

/** Controllers that belong together, such as those of one provider, with all that they need to run. */
export interface ControllerSet {
  readonly name: string;
  readonly controllers: readonly ControllerDescriptor[];
  readonly featureGates?: readonly FeatureGate[];
  /** What its controllers can be told by flags of the manager. */
  readonly settings?: readonly Setting<unknown>[];
  readonly customResourceDefinitions?: () => readonly CustomResourceDefinition[];
  readonly webhooks?: (context: Omit<ControllerContext, 'concurrency'>) => ControllerWebhooks;
}
