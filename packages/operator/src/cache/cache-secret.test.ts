import { systemClock } from '@slipway/base';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { ChangeExecutor, type Client } from '@slipway/runtime';
import { expect, it } from 'vitest';
import type { FrozenProvider } from '../api/index.js';
import { objectsOf, writeCache } from './cache-secret.js';

const provider: FrozenProvider = {
  apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
  kind: 'CoreProvider',
  metadata: { name: 'cluster-api', namespace: 'capi-system', uid: 'x' },
  spec: { version: 'v1.0.0' },
};

it('writes the cache as data and includes the Namespace [operators 13, operators 18]', async () => {
  const written: JsonObject[] = [];
  const client = {
    apply: (_resource: unknown, _key: unknown, object: JsonObject): Promise<Frozen<KubeObject>> => {
      written.push(object);
      return Promise.resolve(object as Frozen<KubeObject>);
    },
  } as unknown as Client;
  const writer = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
  const deployment: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };
  const cache = await writeCache(writer, provider, [deployment]);
  expect(written.map((object) => Object.keys(object).sort())).toEqual([['apiVersion', 'data', 'kind', 'metadata']]);
  expect(objectsOf(cache).map(({ kind }) => kind)).toEqual(['Deployment', 'Namespace']);
});
