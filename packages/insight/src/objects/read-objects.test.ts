import type { Client, Resource } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { readCluster } from './read-objects.js';

/** A client whose requests fail one after another once the Cluster and the CRDs were read. */
function failingClient(): Client {
  let delayed = 0;
  const fail = async (resource: Resource): Promise<never> => {
    delayed += 1;
    for (let turn = 0; turn < delayed; turn += 1) await Promise.resolve();
    throw new Error(`no answer about ${resource.plural}`);
  };
  const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'c', namespace: 'n' } };
  return {
    get: (resource: Resource) => (resource.plural === 'clusters' ? Promise.resolve(cluster) : fail(resource)),
    list: (resource: Resource) =>
      resource.plural === 'customresourcedefinitions' ? Promise.resolve({ items: [] }) : fail(resource),
  } as unknown as Client;
}

it('fails once if all requests fail, without unhandled rejections', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    await expect(readCluster(failingClient(), { namespace: 'n', name: 'c' })).rejects.toThrow('no answer about');
    // Node reports unhandled rejections at the end of an event loop turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
