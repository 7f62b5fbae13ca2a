import { labels } from '@slipway/cluster-api';
import type { CustomResourceDefinition, KubeObject } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import { manifestLabel, type ProviderType } from '../provider/index.js';

/** The objects and permissions that the manager of a provider needs in a Kubernetes cluster. */
export interface ProviderDeployment {
  readonly name: string;
  readonly type: ProviderType;
  /** Upstream's name prefix, such as `capi`. The manager then runs in `capi-system`. */
  readonly prefix: string;
  readonly image: string;
  /** Package of the plugin that the manager loads. */
  readonly plugin?: string;
  /** Images that the manager deploys, by the environment variable that names them. */
  readonly relatedImages?: Readonly<Record<string, string>>;
  /**
   * Environment variable that receives the host name of a headless Service of the manager, for a manager that serves clusters on
   * its own ports. Unlike the address of a pod, the name stays valid when the pod is replaced.
   */
  readonly hostVariable?: string;
  /** Names of the manifest variables that enable features, by feature gate. */
  readonly featureGates: Readonly<Record<string, string>>;
  readonly definitions: readonly CustomResourceDefinition[];
  readonly webhookConfigurations: readonly KubeObject[];
  /** Cluster-wide permissions of the manager. */
  readonly rules: readonly PolicyRule[];
  /**
   * Labels of the manager's ClusterRole. The manager also gets the rules of all ClusterRoles with the first label. Further labels
   * add its rules to those of other managers.
   */
  readonly aggregates?: readonly string[];
}

export function namespaceOf({ prefix }: Pick<ProviderDeployment, 'prefix'>): string {
  return `${prefix}-system`;
}

export function webhookServiceName({ prefix }: Pick<ProviderDeployment, 'prefix'>): string {
  return `${prefix}-webhook-service`;
}

/** Returns the name of the headless Service of the manager's pods. */
export function podServiceName({ prefix }: Pick<ProviderDeployment, 'prefix'>): string {
  return `${prefix}-clusters`;
}

export function ownLabels({ name, type }: Pick<ProviderDeployment, 'name' | 'type'>): Readonly<Record<string, string>> {
  return { [labels.provider]: manifestLabel(name, type) };
}

export function accountName({ prefix }: ProviderDeployment): string {
  return `${prefix}-manager`;
}
