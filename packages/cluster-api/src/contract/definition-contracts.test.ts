import { describe, expect, it } from 'vitest';
import { contractVersionsFrom, type LabelledDefinition } from './definition-contracts.js';

const definitions = new Map<string, LabelledDefinition>([
  ['boats.g', { metadata: { name: 'boats.g', labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta1_v1' } } }],
  ['rafts.g', { metadata: { name: 'rafts.g' } }],
]);

describe('contractVersionsFrom', () => {
  it('is synchronous if the CRD is cached', () => {
    expect(contractVersionsFrom((name) => definitions.get(name)).apiVersionOf('g', 'Boat')).toBe('g/v1');
  });

  it('is asynchronous if the CRD must be read', async () => {
    const versions = contractVersionsFrom((name) => Promise.resolve(definitions.get(name)));
    await expect(versions.apiVersionOf('g', 'Boat')).resolves.toBe('g/v1');
    await expect(versions.apiVersionOf('g', 'Canoe')).rejects.toThrow('canoes.g: the CRD is not installed');
  });

  it('reports a CRD without a supported contract', () => {
    const versions = contractVersionsFrom((name) => definitions.get(name));
    expect(() => versions.apiVersionOf('g', 'Raft')).toThrow(
      'rafts.g: the CRD has no label cluster.x-k8s.io/<contract>',
    );
  });
});
