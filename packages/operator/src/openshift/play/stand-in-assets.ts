import { stringify } from 'yaml';
import type { ProviderAssets, ReleaseAssets } from '../install/providers.js';
import { namespaces } from '../names.js';
import { platforms } from '../platforms/index.js';

const apiVersion = 'clusterctl.cluster.x-k8s.io/v1alpha3';

/** A release whose providers consist of a Deployment each, in the form of the real ones. */
export function standInAssets(): ReleaseAssets {
  const infrastructure = platforms.map(({ provider }) => {
    const [major, minor] = [2, 9];
    return [provider, assets(`infrastructure-${provider}`, `${provider}-controller-manager`, major, minor)] as const;
  });
  return { core: assets('cluster-api', 'capi-controller-manager', 1, 12), infrastructure: new Map(infrastructure) };
}

function assets(label: string, deployment: string, major: number, minor: number): ProviderAssets {
  const metadata = { apiVersion, kind: 'Metadata', releaseSeries: [{ major, minor, contract: 'v1beta1' }] };
  const labels = { 'control-plane': 'controller-manager', 'cluster.x-k8s.io/provider': label };
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: deployment, namespace: namespaces.clusterApi },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: deployment, namespace: namespaces.clusterApi, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: deployment,
            containers: [
              { name: 'manager', image: 'to.be/replaced:v99' },
              { name: 'kube-rbac-proxy', image: 'to.be/replaced:v99' },
            ],
          },
        },
      },
    },
  ];
  return {
    version: `v${major}.${minor}.0`,
    metadata: stringify(metadata),
    components: objects.map((object) => stringify(object)).join('---\n'),
  };
}
