import { type Frozen, isTime, type KubeObject, parseTime } from '@slipway/kube';
import { Gauge, type Registry } from 'prom-client';
import type { Resource } from '../client/index.js';

/** The objects of a controller, as a scrape of the metrics looks at them. */
export interface MeasuredObjects {
  readonly resource: Resource;
  list(): Iterable<Frozen<KubeObject>>;
  /** When a reconcile of it last ended well, in milliseconds since the epoch. */
  lastReconciledMs(object: Frozen<KubeObject>): number | undefined;
}

const labelNames = ['namespace', 'name'];

/**
 * What each object says of its age: when it was made, since when it is being deleted, and when it was last looked at with
 * success. Computed when somebody asks: an object costs nothing otherwise. Two controllers of one kind are measured once.
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
  sampled(`capi_${kind}_created`, 'When it was created, in seconds since the epoch', ({ metadata }) =>
    timeOf(metadata.creationTimestamp),
  );
  sampled(`capi_${kind}_deletion_timestamp`, 'Since when it is being deleted', ({ metadata }) =>
    timeOf(metadata.deletionTimestamp),
  );
  sampled(`capi_${kind}_last_reconciled`, 'When it was last reconciled without an error', (object) =>
    objects.lastReconciledMs(object),
  );
}

function timeOf(text: string | null | undefined): number | undefined {
  return typeof text === 'string' && isTime(text) ? parseTime(text) : undefined;
}
