import { statfsSync, statSync } from 'node:fs';
import { Gauge, Registry as MetricsRegistry } from 'prom-client';
import { dataFileOf } from './lmdb-journal.js';

/**
 * Returns metrics about the size of the data file and the space that it can still use. The file has no limit of its own, so that
 * the file system is the limit.
 */
export function storageMetrics(directory: string): MetricsRegistry {
  const registry = new MetricsRegistry();
  const registers = [registry];
  new Gauge({
    name: 'apiserver_storage_size_bytes',
    help: 'Size of the storage database file in bytes.',
    labelNames: ['storage_cluster_id'],
    registers,
    collect() {
      this.set({ storage_cluster_id: 'embedded' }, statSync(dataFileOf(directory)).size);
    },
  });
  new Gauge({
    name: 'slipway_storage_available_bytes',
    help: 'Free space in bytes of the file system that contains the storage database file.',
    registers,
    collect() {
      const { bavail, bsize } = statfsSync(directory);
      this.set(bavail * bsize);
    },
  });
  return registry;
}
