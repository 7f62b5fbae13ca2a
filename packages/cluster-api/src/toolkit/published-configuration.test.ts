import { notFound, type KubeObject } from '@slipway/kube';
import { type Change, FeatureGates, type Reader } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { publishConfiguration, readConfiguration } from './published-configuration.js';

type Part = Pick<Reader, 'get' | 'list'>;

function readerOf(configMap: KubeObject | undefined, deployments: readonly object[] = []): Part {
  return {
    get: () =>
      configMap === undefined
        ? Promise.reject(notFound({ group: '', resource: 'configmaps' }, 'slipway-controllers'))
        : Promise.resolve(configMap),
    list: () => Promise.resolve({ items: deployments, resourceVersion: '1' }),
  } as unknown as Part;
}

const deployment = (...args: readonly string[]): object => ({
  spec: { template: { spec: { containers: [{ name: 'manager', args }] } } },
});

it('reads the configuration that the embedded controllers published', async () => {
  const changes: Change[] = [];
  const writer = { change: (change: Change) => void changes.push(change) };
  const featureGates = new FeatureGates([{ name: 'ClusterTopology', default: false, stage: 'Alpha' }], 'AllAlpha=true');
  await publishConfiguration(writer as never, { featureGates }, new Map([['additional-sync-machine-labels', '.*']]));
  const [change] = changes;
  const configuration = change?.verb === 'apply' ? (change.configuration as unknown as KubeObject) : undefined;
  expect(await readConfiguration(readerOf(configuration))).toEqual({
    featureGates: 'ClusterTopology=true',
    settings: { 'additional-sync-machine-labels': '.*' },
  });
});

it('reads the flags of the provider Deployments', async () => {
  const reader = readerOf(undefined, [
    deployment('--leader-elect', '--feature-gates=ClusterTopology=true,MachinePool=false'),
    deployment('--feature-gates=KubeadmBootstrapFormatIgnition=true', '--v=2'),
  ]);
  expect(await readConfiguration(reader)).toEqual({
    featureGates: 'ClusterTopology=true,MachinePool=false,KubeadmBootstrapFormatIgnition=true',
    settings: { 'leader-elect': 'true', v: '2' },
  });
});

it('is unknown without a ConfigMap and without Deployments', async () => {
  expect(await readConfiguration(readerOf(undefined))).toBeUndefined();
});
