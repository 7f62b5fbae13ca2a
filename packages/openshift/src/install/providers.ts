import { gzipSync } from 'node:zlib';
import type { KubeObject } from '@slipway/kube';
import { namespaces } from '../names.js';

/** Release files of a provider, as clusterctl fetches them. */
export interface ProviderAssets {
  readonly version: string;
  readonly metadata: string;
  readonly components: string;
}

/** Providers that the OpenShift release contains. Nothing is downloaded. */
export interface ReleaseAssets {
  readonly core: ProviderAssets;
  /** By provider name. */
  readonly infrastructure: ReadonlyMap<string, ProviderAssets>;
}

export interface ProviderImages {
  readonly manager: string;
  readonly proxy: string;
}

const coreName = 'cluster-api';
/** Maximum size of plain manifests. Larger ones are compressed, which the provider operator supports. */
const plainBytesMax = 1_048_576;

export function coreProviderObjects(assets: ProviderAssets, images: ProviderImages): readonly KubeObject[] {
  return [manifests('core', coreName, assets), provider('CoreProvider', 'core', coreName, assets, images)];
}

export function infrastructureProviderObjects(
  name: string,
  assets: ProviderAssets,
  images: ProviderImages,
): readonly KubeObject[] {
  const type = 'infrastructure';
  return [manifests(type, name, assets), provider('InfrastructureProvider', type, name, assets, images)];
}

/** Returns a ConfigMap with the manifests for the provider operator, as in an air-gapped cluster. */
function manifests(type: string, name: string, { version, metadata, components }: ProviderAssets): KubeObject {
  const isLarge = Buffer.byteLength(metadata) + Buffer.byteLength(components) > plainBytesMax;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      namespace: namespaces.clusterApi,
      name: `${type}-${name}-${version}`,
      labels: { ...selectorLabels(type, name), 'provider.cluster.x-k8s.io/version': version },
      ...(isLarge && { annotations: { 'provider.cluster.x-k8s.io/compressed': 'true' } }),
    },
    data: { metadata, ...(isLarge ? {} : { components }) },
    ...(isLarge && { binaryData: { components: gzipSync(components).toString('base64') } }),
  };
}

function provider(
  kind: string,
  type: string,
  name: string,
  { version }: ProviderAssets,
  images: ProviderImages,
): KubeObject {
  return {
    apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
    kind,
    metadata: { namespace: namespaces.clusterApi, name },
    spec: {
      version,
      fetchConfig: { selector: { matchLabels: selectorLabels(type, name) } },
      deployment: {
        containers: [
          { name: 'manager', imageUrl: images.manager },
          { name: 'kube-rbac-proxy', imageUrl: images.proxy },
        ],
      },
    },
  };
}

function selectorLabels(type: string, name: string): Record<string, string> {
  return { 'provider.cluster.x-k8s.io/name': name, 'provider.cluster.x-k8s.io/type': type };
}
