import { describe, expect, it } from 'vitest';
import { notFound } from '@slipway/kube';
import type { Reader, Informer, Secret } from '@slipway/runtime';
import { kubeconfigSecrets } from './kubeconfig-source.js';

const cluster = { namespace: 'a', name: 'one' };

function secret(value: string): Secret {
  const data = { value: Buffer.from(value).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one-kubeconfig', namespace: 'a' }, data };
}

/** Returns a source whose informer sees only Secrets with the cluster name label. The server also has the others. */
function sourceOf(seen: Secret | undefined, stored: Secret | undefined, requests: string[] = []) {
  const informer: Partial<Informer<Secret>> = { whenSynced: () => Promise.resolve(), get: () => seen as never };
  const get = (_: unknown, { name }: { readonly name: string }): Promise<unknown> => {
    requests.push(name);
    return stored === undefined
      ? Promise.reject(notFound({ group: '', resource: 'secrets' }, name))
      : Promise.resolve(stored);
  };
  return kubeconfigSecrets(informer as Informer<Secret>, { get } as Partial<Reader> as Reader);
}

describe('a kubeconfig Secret without the label cluster.x-k8s.io/cluster-name, created by a user [14.51]', () => {
  it('is read from the server on connect', async () => {
    expect(await sourceOf(undefined, secret('mine')).read(cluster)).toBe('mine');
  });

  it('is not requested if one with the label exists', async () => {
    const requests: string[] = [];
    expect(await sourceOf(secret('labelled'), secret('other'), requests).read(cluster)).toBe('labelled');
    expect(requests).toEqual([]);
  });

  it('may be missing', async () => {
    expect(await sourceOf(undefined, undefined).read(cluster)).toBeUndefined();
  });
});
