import { describe, expect, it, vi } from 'vitest';
import { missingCertificateNames } from './certificate-names.js';
import { findEndpoint } from './endpoint.js';
import type { ClusterScope } from './scope.js';

interface Case {
  readonly cluster?: object;
  readonly vsphereCluster?: object;
  readonly machines?: readonly object[];
  readonly addresses?: Readonly<Record<string, string>>;
  readonly hasLoadBalancer?: boolean;
}

function scopeOf({ cluster = {}, vsphereCluster = {}, machines = [], addresses = {}, hasLoadBalancer = false }: Case) {
  const serviceAnnotations = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('asked the load balancer')));
  const source = {
    byIndex: () => machines,
    get: ({ name }: { name: string }) => ({ status: { addresses: addresses[name] && [{ address: addresses[name] }] } }),
  };
  const scope = {
    cluster: {
      metadata: { name: 'prod', namespace: 'ns' },
      spec: { clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/8'] } }, ...cluster },
    },
    vsphereCluster: { metadata: { name: 'prod' }, spec: vsphereCluster },
    provider: { hasLoadBalancer, serviceAnnotations },
    dependencies: { platform: {} },
    context: { sources: { sourceFor: () => source } },
  } as unknown as ClusterScope;
  return { scope, serviceAnnotations };
}

const endpoint = { host: '192.0.2.1', port: 443 };
const machine = (name: string, controlPlane = true): object => ({
  metadata: { labels: controlPlane ? { 'cluster.x-k8s.io/control-plane': '' } : {} },
  spec: {
    bootstrap: { dataSecretName: 'd' },
    infrastructureRef: { apiGroup: 'vmware.infrastructure.cluster.x-k8s.io', name },
  },
});

describe('findEndpoint', () => {
  it('prefers the endpoint of the Cluster, and does not request a load balancer in that case [vsphere 43]', async () => {
    const other = { host: '192.0.2.2', port: 6443 };
    const given = { cluster: { controlPlaneEndpoint: endpoint }, vsphereCluster: { controlPlaneEndpoint: other } };
    const { scope, serviceAnnotations } = scopeOf({ ...given, hasLoadBalancer: true });
    await expect(findEndpoint(scope)).resolves.toEqual({ type: 'known', endpoint });
    expect(serviceAnnotations).not.toHaveBeenCalled();
  });

  it('uses the endpoint of the VSphereCluster second', async () => {
    const { scope } = scopeOf({ vsphereCluster: { controlPlaneEndpoint: endpoint }, hasLoadBalancer: true });
    await expect(findEndpoint(scope)).resolves.toEqual({ type: 'known', endpoint });
  });

  it('uses the first address of a control plane machine if there is no load balancer', async () => {
    const { scope } = scopeOf({
      machines: [machine('worker', false), machine('a'), machine('b')],
      addresses: { worker: '192.0.2.3', b: '192.0.2.4' },
    });
    await expect(findEndpoint(scope)).resolves.toEqual({ type: 'known', endpoint: { host: '192.0.2.4', port: 6443 } });
  });

  it('waits without an error while no machine has an address [vsphere 45]', async () => {
    const { scope } = scopeOf({ machines: [machine('a')] });
    await expect(findEndpoint(scope)).resolves.toEqual({ type: 'waitingForMachine' });
  });
});

describe('the certificate SANs of a dual-stack cluster', () => {
  const addresses = ['192.0.2.9', '2001:db8::9'];
  const controlPlane = (certSANs: readonly string[], observedGeneration = 2) => ({
    metadata: { name: 'prod', namespace: 'ns', generation: 2 },
    spec: { kubeadmConfigSpec: { clusterConfiguration: { apiServer: { certSANs } } } },
    status: { conditions: [{ type: 'Available', observedGeneration }] },
  });
  const missing = (object: object | undefined) => {
    const definition = { metadata: { labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta2' } } };
    const reference = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'prod' };
    const scope = {
      cluster: { metadata: { name: 'prod', namespace: 'ns' }, spec: { controlPlaneRef: reference } },
      context: {
        sources: { sourceFor: () => ({ get: () => definition }) },
        follow: async () => ({ get: () => object }),
      },
    };
    return missingCertificateNames(scope as unknown as ClusterScope, addresses);
  };
  it.each([
    { name: 'finds all SANs in the spec', object: controlPlane(['example.com', ...addresses]), expected: [] },
    {
      name: 'reports the SANs that are missing from the spec',
      object: controlPlane(['192.0.2.9']),
      expected: ['2001:db8::9'],
    },
    { name: 'waits until the spec with the SANs is observed', object: controlPlane(addresses, 1), expected: addresses },
    { name: 'reports all SANs as missing without a control plane', object: undefined, expected: addresses },
  ])('$name', async ({ object, expected }) => {
    expect(await missing(object)).toEqual(expected);
  });
});
