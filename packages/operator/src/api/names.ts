import type { ProviderType } from '@slipway/clusterctl';
import type { Frozen, KubeObject } from '@slipway/kube';

export const finalizer = 'provider.cluster.x-k8s.io';
/** Field manager of server-side apply. */
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
  /** Annotation with a version that is not a valid label value, such as `v1.2.3+a`. */
  version: operatorLabels.version,
  source: operatorLabels.source,
  compressed: 'provider.cluster.x-k8s.io/compressed',
  appliedSpecHash: 'operator.cluster.x-k8s.io/applied-spec-hash',
  /** Index and number of parts, such as `2/3`, of data that does not fit into one object. */
  part: 'provider.cluster.x-k8s.io/part',
} as const;

export const configMapKeys = { metadata: 'metadata', components: 'components' } as const;
export const cacheKey = 'cache';

/** Provider types in names of ConfigMaps and Secrets. Labels of components use `runtime-extension` instead. */
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

/**
 * Returns the name of the ConfigMap with a release, such as `infrastructure-aws-v2.1.0`. Build metadata is kept as far as it is
 * valid in object names.
 */
export function manifestsName({ type, name, version }: ProviderVersion): string {
  return `${typeNames[type]}-${name}-${version.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')}`;
}

export function cacheName(provider: ProviderVersion): string {
  return `${manifestsName(provider)}-cache`;
}

/** Returns whether a Secret has the name of a cache of the provider, for any version. */
export function isCacheName({ type, name }: Omit<ProviderVersion, 'version'>, secret: string): boolean {
  return secret.startsWith(`${typeNames[type]}-${name}-`) && /-cache(-part-\d+)?$/.test(secret);
}

/** Converts a version to a label value. */
export function versionLabel(version: string): string {
  return version.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
}

/** Returns the labels of the ConfigMaps with the manifests of a version. */
export function manifestsLabels({ type, name, version }: ProviderVersion): Readonly<Record<string, string>> {
  return {
    [operatorLabels.version]: versionLabel(version),
    [operatorLabels.type]: typeNames[type],
    [operatorLabels.name]: name,
    [operatorLabels.managed]: 'true',
  };
}

/** Returns the name of a provider for messages: `InfrastructureProvider capa-system/aws`. */
export function nameOf({ kind, metadata }: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
