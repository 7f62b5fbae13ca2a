import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { openMemoryStore } from '../../storage/index.js';
import { storeServiceResolver } from './service-resolver.js';

const service = (spec: object): [string, object] => [
  'services',
  { kind: 'Service', metadata: { name: 'hook', namespace: 'system' }, spec },
];
const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
const endpoints: [string, object] = [
  'endpoints',
  {
    kind: 'Endpoints',
    metadata: { name: 'hook', namespace: 'system' },
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port: 8443 }] }],
  },
];
const slice = (ready: boolean): [string, object] => [
  'discovery.k8s.io/endpointslices',
  {
    kind: 'EndpointSlice',
    metadata: { name: 'hook-1', namespace: 'system', labels: { 'kubernetes.io/service-name': 'hook' } },
    endpoints: [{ addresses: ['10.0.0.2'], conditions: { ready } }],
    ports: [{ name: 'https', port: 9443 }],
  },
];

describe('storeServiceResolver', () => {
  const rows: [string, [string, object][], unknown][] = [
    ['rejects a service that does not exist', [], 'service "hook" not found'],
    [
      'rejects a port that the service does not have',
      [service({ ports: [{ port: 80 }] })],
      'no service port 443 found for service "hook"',
    ],
    ['rejects a service without endpoints', [service({ ports })], 'no endpoints available for service "hook"'],
    ['resolves a service by its Endpoints', [service({ ports }), endpoints], { host: '10.0.0.1', port: 8443 }],
    ['resolves a service by its EndpointSlices', [service({ ports }), slice(true)], { host: '10.0.0.2', port: 9443 }],
    [
      'ignores endpoints that are not ready',
      [service({ ports }), slice(false)],
      'no endpoints available for service "hook"',
    ],
    [
      'resolves an ExternalName service',
      [service({ type: 'ExternalName', externalName: 'example.com' })],
      { host: 'example.com', port: 443 },
    ],
  ];
  it.each(rows)('%s', async (_name, objects, expected) => {
    const store = await openMemoryStore();
    for (const [resource, object] of objects) {
      const { metadata } = object as KubeObject;
      const key = { resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await store.commit({ key, expected: 0, object: { apiVersion: 'v1', ...object } as KubeObject });
    }
    const resolve = async (): Promise<unknown> => storeServiceResolver(store)('system', 'hook', 443);
    expect(await resolve().catch((error: unknown) => (error as Error).message)).toEqual(expected);
    await store.close();
  });
});
