import { type Frozen, isTime, type KubeObject, parseTime } from '@slipway/kube';
import { Gauge, type Registry } from 'prom-client';
import type { Resource } from '../client/index.js';

/** The objects of a controller, read when metrics are scraped. */
export interface MeasuredObjects {
  readonly resource: Resource;
  list(): Iterable<Frozen<KubeObject>>;
  /** Time of the object's last successful reconcile, in milliseconds since the epoch. */
  lastReconciledMs(object: Frozen<KubeObject>): number | undefined;
}

const labelNames = ['namespace', 'name'];

/**
 * Adds metrics of each object: creation time, deletion timestamp and last successful reconcile. They are computed when they are
 * scraped, so that objects cost nothing otherwise. A kind with two controllers is measured once.
 */
export function addObjectMetrics(registry: Registry, objects: MeasuredObjects): void {
  const kind = objects.resource.kind.toLowerCase();
  const sampled = (name: string, help: string, valueOf: (object: Frozen<KubeObject>) => number | undefined): void => {
    if (registry.getSingleMetric(name) !== undefined) return;
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        gauge.reset();
        for (const object of objects.list()) {
          const ms = valueOf(object);
          const { namespace = '', name: own = '' } = object.metadata;
          if (ms !== undefined) gauge.set({ namespace, name: own }, ms / 1_000);
        }
      },
    });
  };
  sampled(`capi_${kind}_created`, 'Creation time in seconds since the epoch', ({ metadata }) =>
    timeOf(metadata.creationTimestamp),
  );
  sampled(`capi_${kind}_deletion_timestamp`, 'Deletion timestamp in seconds since the epoch', ({ metadata }) =>
    timeOf(metadata.deletionTimestamp),
  );
  sampled(
    `capi_${kind}_last_reconciled`,
    'Time of the last successful reconcile in seconds since the epoch',
    (object) => objects.lastReconciledMs(object),
  );
}

function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === 'string' && isTime(text) ? parseTime(text) : undefined;
}
