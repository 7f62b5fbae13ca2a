import { VirtualClock } from '@slipway/base';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { VdoConfig } from '../api/index.js';
import { clusterLabelNames, OperatorMetricFamilies, OperatorMetrics } from './operator-metrics.js';

const config = (version: string, nodeCounts: Record<string, number>): VdoConfig =>
  ({
    apiVersion: 'vdo.vmware.com/v1alpha1',
    kind: 'VDOConfig',
    metadata: { name: 'vdo' },
    status: { storageProvider: { installedVersion: version, health: 'Healthy' }, nodeCounts },
  }) as VdoConfig;

const samples = async (registry: Registry, name: string): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));

describe('metrics of operators of several clusters', () => {
  const clock = new VirtualClock();
  const registry = new Registry();
  const families = new OperatorMetricFamilies(clock, registry, clusterLabelNames);
  const [one, two] = ['one', 'two'].map(
    (name) => new OperatorMetrics(families, { cluster_namespace: 'default', cluster_name: name }),
  ) as [OperatorMetrics, OperatorMetrics];

  it('are labelled with the names of their clusters', async () => {
    one.reported(config('3.7.0', { ready: 2 }));
    two.reported(config('3.8.0', { ready: 1 }));
    expect(await samples(registry, 'vdo_driver_info')).toEqual([
      'vdo_driver_info{cluster_namespace="default",cluster_name="one",driver="csi",version="3.7.0"} 1',
      'vdo_driver_info{cluster_namespace="default",cluster_name="two",driver="csi",version="3.8.0"} 1',
    ]);
  });

  it('are updated by one operator without changing those of the other', async () => {
    one.reported(config('3.8.0', { pending: 2 }));
    expect(await samples(registry, 'vdo_nodes')).toEqual([
      'vdo_nodes{cluster_namespace="default",cluster_name="two",state="ready"} 1',
      'vdo_nodes{cluster_namespace="default",cluster_name="one",state="pending"} 2',
    ]);
    expect(await samples(registry, 'vdo_driver_info')).not.toContainEqual(expect.stringContaining('3.7.0'));
  });

  it('are removed with their operator', async () => {
    for (const each of [one, two]) {
      each.reconciled('ok', 5);
      each.connectionTook(5);
      each.matrixLoaded(clock.now());
    }
    one.dispose();
    const text = await registry.metrics();
    expect(text).not.toContain('cluster_name="one"');
    for (const name of ['reconcile_total', 'reconcile_seconds_count', 'driver_healthy', 'matrix_age_seconds'])
      expect(await samples(registry, `vdo_${name}`)).not.toEqual([]);
  });
});
