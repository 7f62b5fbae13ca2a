import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields, list } from '../../kinds/shared/fields.js';
import { GarbageCollector } from '../garbage-collector/garbage-collector.js';
import { coreResources, endpointSlices } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startEndpointsMirror, startKubernetesService, startServiceEndpoints } from './index.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  for (const name of ['x', 'default']) await plane.namespace(name);
});

afterEach(() => plane.dispose());

const labels = { app: 'web' };

async function pod(name: string, podIP: string, ready: boolean): Promise<void> {
  const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
  const created = await plane.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'x', labels },
    spec: { containers },
  });
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions };
  await plane.client.update({ ...structuredClone(created), status } as never, 'status');
}

function service(name: string, selector?: object) {
  return plane.client.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'x' },
    spec: { ports: [{ port: 80, targetPort: 'http' }], ...(selector === undefined ? {} : { selector }) },
  });
}

const slices = () =>
  plane.store
    .list({ resource: 'discovery.k8s.io/endpointslices', namespace: 'x' })
    .map(({ object }) =>
      list(object['endpoints']).map((one) => [one['addresses'], fields(one['conditions'])['ready']]),
    );

describe('services with a selector', () => {
  beforeEach(() => void plane.run(startServiceEndpoints(plane)));

  it('adds the selected pods as endpoints, by readiness', async () => {
    await pod('p1', '10.1.0.1', true);
    await service('web', labels);
    await pod('p2', '10.1.0.2', false);
    await plane.settle();
    const [subset] = list(plane.get('endpoints', 'x', 'web')?.['subsets']);
    expect(list(subset?.['addresses']).map(({ ip }) => ip)).toEqual(['10.1.0.1']);
    expect(list(subset?.['notReadyAddresses']).map(({ ip }) => ip)).toEqual(['10.1.0.2']);
    expect(subset?.['ports']).toEqual([{ port: 8080, protocol: 'TCP' }]);
    expect(slices()).toEqual([
      [
        [['10.1.0.1'], true],
        [['10.1.0.2'], false],
      ],
    ]);
  });

  it('removes the endpoints of deleted pods', async () => {
    await service('web', labels);
    await pod('p1', '10.1.0.1', true);
    await plane.settle();
    await plane.client.delete(coreResources.pods, 'x', 'p1');
    await plane.settle();
    expect(plane.get('endpoints', 'x', 'web')?.['subsets']).toBeUndefined();
    expect(slices()).toEqual([[]]);
  });

  it('maintains EndpointSlices that reference the pods and track their state', async () => {
    plane.run(new GarbageCollector(plane)).start();
    const created = await service('web', labels);
    await plane.settle();
    const [slice] = plane.store.list({ resource: 'discovery.k8s.io/endpointslices', namespace: 'x' });
    expect(slice?.object.metadata.labels).toEqual({
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
    expect(slice?.object.metadata.ownerReferences?.[0]?.uid).toBe(created.metadata.uid);
    await plane.client.delete(coreResources.services, 'x', 'web');
    await plane.advance(1000);
    expect(plane.names('endpoints', 'x')).toEqual([]);
    expect(slices()).toEqual([]);
  });

  it('restores endpoints that another client changed', async () => {
    await pod('p1', '10.1.0.1', true);
    await service('web', labels);
    await plane.settle();
    await plane.client.patch(coreResources.endpoints, 'x', 'web', { subsets: null });
    const [slice] = plane.store.list({ resource: 'discovery.k8s.io/endpointslices', namespace: 'x' });
    await plane.client.delete(endpointSlices, 'x', slice?.key.name ?? '');
    await plane.advance(1000);
    expect(list(plane.get('endpoints', 'x', 'web')?.['subsets'])).toHaveLength(1);
    expect(slices()).toEqual([[[['10.1.0.1'], true]]]);
  });

  it('does not manage endpoints of services without a selector', async () => {
    await service('web');
    await plane.settle();
    expect(plane.names('endpoints', 'x')).toEqual([]);
  });
});

describe('services without a selector', () => {
  beforeEach(() => void plane.run(startEndpointsMirror(plane)));

  const subsets = [{ addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }] }];
  const endpoints = (labels?: Record<string, string>) =>
    plane.client.create({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web', namespace: 'x', ...(labels === undefined ? {} : { labels }) },
      subsets,
    });

  it('mirrors user-managed Endpoints to one EndpointSlice per address type', async () => {
    await service('web');
    await endpoints();
    await plane.settle();
    expect(slices().flat()).toEqual(
      expect.arrayContaining([
        [['192.0.2.1'], true],
        [['2001:db8::1'], true],
      ]),
    );
    await plane.client.delete(coreResources.endpoints, 'x', 'web');
    await plane.advance(1000);
    expect(slices()).toEqual([]);
  });

  it('does not mirror Endpoints with the skip-mirror label', async () => {
    await service('web');
    await endpoints({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
    await plane.settle();
    expect(slices()).toEqual([]);
  });
});

describe('the kubernetes service', () => {
  it('has the first address of the range, and the server as its endpoint', async () => {
    let address: { ip: string; port: number } | undefined;
    const { apiServerAddress } = plane.network;
    const loop = plane.run(startKubernetesService(plane, { clusterIp: apiServerAddress, address: () => address }));
    await plane.settle();
    expect(fields(plane.get('services', 'default', 'kubernetes')?.['spec'])).toMatchObject({
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
    });
    expect(plane.names('endpoints', 'default')).toEqual([]);
    address = { ip: '192.0.2.7', port: 6443 };
    loop.refresh();
    await plane.settle();
    expect(plane.get('endpoints', 'default', 'kubernetes')?.['subsets']).toEqual([
      { addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
    ]);
    expect(plane.names('discovery.k8s.io/endpointslices', 'default')).toEqual(['kubernetes']);
    await plane.client.delete(coreResources.services, 'default', 'kubernetes');
    await plane.advance(1000);
    expect(plane.names('services', 'default')).toEqual(['kubernetes']);
  });

  it('writes nothing if everything is up to date', async () => {
    const address = () => ({ ip: '192.0.2.7', port: 6443 });
    const loop = plane.run(startKubernetesService(plane, { clusterIp: '10.96.0.1', address }));
    await plane.settle();
    const before = plane.store.revision;
    loop.refresh();
    await plane.settle();
    expect(plane.store.revision).toBe(before);
  });
});
