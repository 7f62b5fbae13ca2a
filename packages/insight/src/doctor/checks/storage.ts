import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

const mebibyte = 1_024 ** 2;
const gibibyte = 1_024 ** 3;
/** Free space below which a warning is reported. An upgrade of the data also needs space for its backup. */
const freeBytesMin = gibibyte;
/** Free space below which an error is reported. */
const freeBytesLast = 128 * mebibyte;
/** The default of etcd's --quota-backend-bytes, and the highest value that etcd recommends. */
const etcdQuotas = [2 * gibibyte, 8 * gibibyte];
const quotaShare = 0.8;

/** Reports a store that is close to a limit. A full store rejects every write. */
export function checkStorage({ metrics = '' }: Facts): Diagnosis[] {
  const size = valueOf(metrics, 'apiserver_storage_size_bytes');
  const free = valueOf(metrics, 'slipway_storage_available_bytes');
  if (size === undefined)
    return [
      {
        area: 'storage',
        severity: 'info',
        what: 'the size of the storage is unknown: the API server does not serve this metric to the current user',
        remedy: 'use credentials with permission to get /metrics',
      },
    ];
  return free === undefined ? checkEtcdQuota(size) : checkFreeSpace(size, free);
}

function checkFreeSpace(size: number, free: number): Diagnosis[] {
  if (free >= Math.max(freeBytesMin, size)) return [];
  return [
    {
      area: 'storage',
      severity: free < freeBytesLast ? 'error' : 'warning',
      what: `the file system of the data directory has ${bytes(free)} left, and the data file has ${bytes(size)}: without free space, the API server rejects every write`,
      remedy:
        'free some space, or move the data directory to a larger file system with `slipway backup` and `slipway restore`',
    },
  ];
}

function checkEtcdQuota(size: number): Diagnosis[] {
  const quota = etcdQuotas.find((limit) => size < limit);
  if (quota !== undefined && size < quota * quotaShare) return [];
  const limit = quota ?? etcdQuotas.at(-1) ?? 0;
  return [
    {
      area: 'storage',
      severity: 'warning',
      what: `the etcd database of the management cluster has ${bytes(size)}: with a quota of ${bytes(limit)}, etcd rejects every write when it is full`,
      remedy: 'compact and defragment etcd, or raise its --quota-backend-bytes',
    },
  ];
}

/** Returns the largest value of a metric in the Prometheus text format. */
function valueOf(metrics: string, name: string): number | undefined {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
    .map(([, value]) => Number(value))
    .filter((value) => Number.isFinite(value));
  return values.length === 0 ? undefined : Math.max(...values);
}

function bytes(count: number): string {
  return count >= gibibyte ? `${(count / gibibyte).toFixed(1)} GiB` : `${Math.round(count / mebibyte)} MiB`;
}
