import type { ProviderType } from '@slipway/clusterctl';
import type { Frozen, KubeObject } from '@slipway/kube';

export const finalizer = 'provider.cluster.x-k8s.io';
/** Under which name fields are owned that are applied. */
export const fieldManager = 'capi-operator';
export const coreProviderName = 'cluster-api';

export const operatorLabels = {
  version: 'provider.cluster.x-k8s.io/version',
  type: 'provider.cluster.x-k8s.io/type',
  name: 'provider.cluster.x-k8s.io/name',
  source: 'provider.cluster.x-k8s.io/source',
  managed: 'managed-by.operator.cluster.x-k8s.io',
} as const;

export const operatorAnnotations = {
  /** Of a version that is no value of a label, such as `v1.2.3+a`. */
  version: operatorLabels.version,
  source: operatorLabels.source,
  compressed: 'provider.cluster.x-k8s.io/compressed',
  appliedSpecHash: 'operator.cluster.x-k8s.io/applied-spec-hash',
  /** `2/3`: what does not fit into one object is cut into several. */
  part: 'provider.cluster.x-k8s.io/part',
} as const;

export const configMapKeys = { metadata: 'metadata', components: 'components' } as const;
export const cacheKey = 'cache';

/** As ConfigMaps and Secrets name types. Labels of components say `runtime-extension` instead. */
export const typeNames: Readonly<Record<ProviderType, string>> = {
  CoreProvider: 'core',
  BootstrapProvider: 'bootstrap',
  ControlPlaneProvider: 'control-plane',
  InfrastructureProvider: 'infrastructure',
  IPAMProvider: 'ipam',
  RuntimeExtensionProvider: 'runtimeextension',
  AddonProvider: 'addon',
};

export interface ProviderVersion {
  readonly type: ProviderType;
  readonly name: string;
  readonly version: string;
}

/** `infrastructure-aws-v2.1.0`. What stands behind a plus sign is kept as far as names of objects can have it. */
export function manifestsName({ type, name, version }: ProviderVersion): string {
  return `${typeNames[type]}-${name}-${version.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')}`;
}

export function cacheName(provider: ProviderVersion): string {
  return `${manifestsName(provider)}-cache`;
}

/** Whether a Secret has the name of a cache of a provider, of whatever version. */
export function isCacheName({ type, name }: Omit<ProviderVersion, 'version'>, secret: string): boolean {
  return secret.startsWith(`${typeNames[type]}-${name}-`) && /-cache(-part-\d+)?$/.test(secret);
}

/** A version as the value of a label. */
export function versionLabel(version: string): string {
  return version.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
}

/** The labels by which the manifests of a version are found again. */
export function manifestsLabels({ type, name, version }: ProviderVersion): Readonly<Record<string, string>> {
  return {
    [operatorLabels.version]: versionLabel(version),
    [operatorLabels.type]: typeNames[type],
    [operatorLabels.name]: name,
    [operatorLabels.managed]: 'true',
  };
}

/** `InfrastructureProvider capa-system/aws`: names a provider in messages. */
export function nameOf({ kind, metadata }: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
