import type { ObjectKey } from '@slipway/runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ClusterCache } from './cluster-cache.js';

const labelNames = ['cluster_name', 'cluster_namespace'];

/** Registers connection metrics of workload clusters under upstream's names. */
export function addClusterCacheMetrics(registry: Registry, cache: ClusterCache): void {
  const connected = new Gauge({
    name: 'capi_cluster_cache_connection_up',
    help: 'Whether there is a connection to the workload cluster',
    labelNames,
    registers: [registry],
    collect() {
      connected.reset();
      for (const connection of cache.connections())
        connected.set(labelsOf(connection.key), connection.health().connected ? 1 : 0);
    },
  });
  const healthy = new Gauge({
    name: 'capi_cluster_cache_healthcheck',
    help: 'Whether the last probe of the workload cluster succeeded',
    labelNames,
    registers: [registry],
    collect() {
      healthy.reset();
      for (const connection of cache.connections()) {
        const { lastProbeAt, consecutiveFailures } = connection.health();
        if (lastProbeAt !== undefined) healthy.set(labelsOf(connection.key), consecutiveFailures === 0 ? 1 : 0);
      }
    },
  });
  const probes = new Counter({
    name: 'capi_cluster_cache_healthchecks_total',
    help: 'Total number of workload cluster probes, by outcome',
    labelNames: [...labelNames, 'status'],
    registers: [registry],
    collect() {
      probes.reset();
      for (const { key, probes: counts } of cache.connections()) {
        probes.inc({ ...labelsOf(key), status: 'success' }, counts.succeeded);
        probes.inc({ ...labelsOf(key), status: 'error' }, counts.failed);
      }
    },
  });
}

function labelsOf({ namespace, name }: ObjectKey): { cluster_name: string; cluster_namespace: string } {
  return { cluster_name: name, cluster_namespace: namespace };
}
