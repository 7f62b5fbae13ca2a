import { afterAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '@slipway/base';
import { configMaps, createHttpClient, InformerFactory, namespaces } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { InProcessClient } from '../src/index.js';
import { informerConformance, restartConformance } from './informer-conformance.js';

informerConformance('in process, on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  return { client: new InProcessClient({ registry: embedded.server.registry }), stop: () => embedded.stop() };
});

restartConformance('over HTTPS, on the embedded server', async () => {
  const embedded = await startEmbeddedServer();
  const client = createHttpClient(await embedded.connection());
  return {
    client,
    restart: () => embedded.restart(),
    async stop() {
      client.close();
      await embedded.stop();
    },
  };
});

describe('an informer in process', () => {
  it('shares the objects of the store instead of copying them', async () => {
    const embedded = await startEmbeddedServer();
    afterAll(() => embedded.stop());
    const client = new InProcessClient({ registry: embedded.server.registry });
    const factory = new InformerFactory({ client, clock: systemClock, random: systemRandom });
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    const informer = factory.informer(configMaps, { stripManagedFields: true });
    await informer.whenSynced();
    const key = { namespace: 'a', name: 'x' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key }, data: { a: '1' } } as const;
    const created = await client.create(configMaps, structuredClone(object));
    const cached = await informer.waitFor((view) => view.get(key));
    const stored = embedded.store.get({ resource: 'configmaps', ...key })?.object;
    expect(stored).toBeDefined();
    expect(cached).toBe(stored);
    expect(created).toBe(stored);
    expect(await client.get(configMaps, key)).toBe(stored);
    expect((await client.list(configMaps, { namespace: 'a' })).items).toContain(stored);
    await factory.dispose();
  });
});
