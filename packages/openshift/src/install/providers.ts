import { gzipSync } from 'node:zlib';
import type { KubeObject } from '@slipway/kube';
import { namespaces } from '../names.js';

/** What a provider's release says: the files that clusterctl would fetch. */
export interface ProviderAssets {
  readonly version: string;
  readonly metadata: string;
  readonly components: string;
}

/** All that the release of OpenShift carries. Nothing is fetched from elsewhere. */
export interface ReleaseAssets {
  readonly core: ProviderAssets;
  /** By the name of the provider. */
  readonly infrastructure: ReadonlyMap<string, ProviderAssets>;
}

export interface ProviderImages {
  readonly manager: string;
  readonly proxy: string;
}

const coreName = 'cluster-api';
/** What an object may hold; larger manifests are compressed, which the provider operator reads as well. */
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

/** The ConfigMap from which the provider operator installs, as it does where there is no network. */
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
