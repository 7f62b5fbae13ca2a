import { Counter, Gauge, type Registry } from 'prom-client';

/** One sample of a metric, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric whose values are computed at scrape time. */
export interface SampledMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly labelNames: readonly string[];
  readonly sample: () => Iterable<Sample>;
}

/** Registers a metric. Controllers that share a registry may add the same metric: it is registered only once. */
export function addSampledMetric(registry: Registry, { name, help, type, labelNames, sample }: SampledMetric): void {
  if (registry.getSingleMetric(name) !== undefined) return;
  const options = { name, help, labelNames: [...labelNames], registers: [registry] };
  if (type === 'counter') {
    const counter = new Counter({
      ...options,
      collect() {
        counter.reset();
        for (const { labels, value } of sample()) counter.inc(labels, value);
      },
    });
    return;
  }
  const gauge = new Gauge({
    ...options,
    collect() {
      gauge.reset();
      for (const { labels, value } of sample()) gauge.set(labels, value);
    },
  });
}
