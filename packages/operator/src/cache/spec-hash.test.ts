import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { FrozenProvider, ProviderSpec } from '../api/index.js';
import { type HashInput, hashOf } from './spec-hash.js';

const provider = (spec: ProviderSpec): FrozenProvider => ({
  apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
  kind: 'CoreProvider',
  metadata: { name: 'cluster-api', namespace: 'n' },
  spec,
});
const map = (
  name: string,
  data: Record<string, string>,
  binaryData: Record<string, string> = {},
): Frozen<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
  binaryData,
});
const base: HashInput = {
  provider: provider({ version: 'v1.0.0', deployment: {} }),
  configSecret: { A: 'YQ==' },
  manifests: [map('a', { components: 'x' })],
  additionalManifests: undefined,
  cache: [{ cache: 'W10=' }],
  operatorConfig: '',
};

describe('the hash', () => {
  const rows: { name: string; change: Partial<HashInput> }[] = [
    { name: 'the spec', change: { provider: provider({ version: 'v1.0.0', deployment: { tolerations: [] } }) } },
    { name: 'the version [operators 4]', change: { provider: provider({ deployment: {} }) } },
    { name: 'variables', change: { configSecret: { A: 'Yg==' } } },
    { name: 'manifests', change: { manifests: [map('a', { components: 'y' })] } },
    { name: 'compressed manifests', change: { manifests: [map('a', { components: 'x' }, { components: 'eA==' })] } },
    { name: 'additional manifests', change: { additionalManifests: map('m', { manifests: 'x' }) } },
    { name: 'the cache itself [operators 3]', change: { cache: [{ cache: 'WzFd' }] } },
    { name: 'the configuration of the operator', change: { operatorConfig: 'images: {}' } },
  ];
  it.each(rows)('changes with $name', ({ change }) => {
    expect(hashOf({ ...base, ...change })).not.toBe(hashOf(base));
  });

  it('does not depend on the order of keys and objects', () => {
    const left = { ...base, manifests: [map('a', { x: '1', y: '2' }), map('b', {})] };
    const right = { ...base, manifests: [map('b', {}), map('a', { y: '2', x: '1' })] };
    expect(hashOf(left)).toBe(hashOf(right));
    expect(hashOf(base)).toMatch(/^[0-9a-f]{64}$/);
  });
});
