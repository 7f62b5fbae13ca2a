import { describe, expect, it } from 'vitest';
import { contractVersionOf, definitionNameOf } from './contract-version.js';

describe('contractVersionOf', () => {
  const rows = [
    {
      name: 'prefers the newest contract [14.4]',
      labels: { v1beta1: 'v1beta1', v1beta2: 'v1beta2' },
      then: ['v1beta2', 'v1beta2'],
    },
    { name: 'falls back to the older one', labels: { v1beta1: 'v1alpha4_v1beta1' }, then: ['v1beta1', 'v1beta1'] },
    { name: 'prefers stable versions', labels: { v1beta2: 'v1beta2_v1_v2alpha1' }, then: ['v1beta2', 'v1'] },
    { name: 'returns undefined without a contract label', labels: { v1alpha4: 'v1alpha4' }, then: undefined },
    { name: 'ignores an empty label', labels: { v1beta2: '' }, then: undefined },
  ];
  it.each(rows)('$name', ({ labels, then }) => {
    const full = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`cluster.x-k8s.io/${key}`, value]));
    const found = contractVersionOf(full);
    expect(found && [found.contract, found.version]).toEqual(then);
  });
});

it('derives the name of the CRD from a kind', () => {
  const names = ['DevMachine', 'ClusterClass', 'IPAddress', 'Proxy', 'Gateway'].map((kind) =>
    definitionNameOf('g', kind),
  );
  expect(names).toEqual(['devmachines.g', 'clusterclasses.g', 'ipaddresses.g', 'proxies.g', 'gateways.g']);
});
