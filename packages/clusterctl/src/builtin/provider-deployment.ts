import { labels } from '@slipway/cluster-api';
import type { CustomResourceDefinition, KubeObject } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import { manifestLabel, type ProviderType } from '../provider/index.js';

/** What the manager of a provider brings to a Kubernetes, and what it needs there. */
export interface ProviderDeployment {
  readonly name: string;
  readonly type: ProviderType;
  /** Upstream's prefix of names, such as `capi`: it runs in `capi-system`. */
  readonly prefix: string;
  readonly image: string;
  /** Variables of the manifest that choose features, by gate. */
  readonly featureGates: Readonly<Record<string, string>>;
  readonly definitions: readonly CustomResourceDefinition[];
  readonly webhookConfigurations: readonly KubeObject[];
  /** What the manager may do anywhere. */
  readonly rules: readonly PolicyRule[];
  /** Other providers add to what it may do, by label. */
  readonly aggregates?: readonly string[];
}

export function namespaceOf({ prefix }: Pick<ProviderDeployment, 'prefix'>): string {
  return `${prefix}-system`;
}

export function webhookServiceName({ prefix }: Pick<ProviderDeployment, 'prefix'>): string {
  return `${prefix}-webhook-service`;
}

export function ownLabels({ name, type }: Pick<ProviderDeployment, 'name' | 'type'>): Readonly<Record<string, string>> {
  return { [labels.provider]: manifestLabel(name, type) };
}

export function accountName({ prefix }: ProviderDeployment): string {
  return `${prefix}-manager`;
}
