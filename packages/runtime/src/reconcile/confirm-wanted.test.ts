import { VirtualClock } from '@slipway/base';
import { conflict } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { FencedError } from '../leader-election/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { object, sets } from '../testing/controller-bench.js';
import { confirmWanted } from './confirm-wanted.js';

describe('confirmWanted', () => {
  const key = { namespace: 'ns', name: 'one' };
  const signal = new AbortController().signal;
  const check = (): void => undefined;
  const made = (finalizers: string[] = []) => {
    const api = new FakeApi(new VirtualClock());
    return { api, client: api.client(), cached: api.create('test', sets, object('one', 'Set', { finalizers })) };
  };
  const refusal = conflict(
    { group: 'x.io', resource: 'sets' },
    'one',
    'the object was deleted or is being deleted, and the cache has not observed it yet',
  );

  it('resolves while the server has the object, even if it has changed', async () => {
    const { client, cached } = made();
    await client.patch(sets, key, { type: 'merge', patch: { metadata: { labels: { a: 'b' } } } });
    await expect(confirmWanted({ read: client, signal, check }, sets, cached)).resolves.toBeUndefined();
  });

  it('throws if the object was deleted', async () => {
    const { client, cached } = made();
    await client.delete(sets, key);
    await expect(confirmWanted({ read: client, signal, check }, sets, cached)).rejects.toThrow(refusal);
  });

  it('throws if the object is being deleted', async () => {
    const { client, cached } = made(['x.io/kept']);
    await client.delete(sets, key);
    await expect(confirmWanted({ read: client, signal, check }, sets, cached)).rejects.toThrow(refusal);
  });

  it('throws if another object has the name', async () => {
    const { client, cached } = made();
    await client.delete(sets, key);
    await client.create(sets, object('one'));
    await expect(confirmWanted({ read: client, signal, check }, sets, cached)).rejects.toThrow(refusal);
  });

  it('throws if this process lost the lease during the request', async () => {
    const { api, cached } = made();
    let leads = true;
    const slow = api.client('test', async (serve) => {
      leads = false;
      return serve();
    });
    const closedFence = (): void => {
      if (!leads) throw new FencedError('another process leads');
    };
    await expect(confirmWanted({ read: slow, signal, check: closedFence }, sets, cached)).rejects.toThrow(FencedError);
  });

  it('throws if the server does not respond', async () => {
    const { api, cached } = made();
    const lost = api.client('test', () => Promise.reject(new Error('no answer')));
    await expect(confirmWanted({ read: lost, signal, check }, sets, cached)).rejects.toThrow('no answer');
  });
});
