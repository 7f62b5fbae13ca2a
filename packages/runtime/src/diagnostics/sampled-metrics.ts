import { Counter, Gauge, type Registry } from 'prom-client';

/** A number of a metric, and what it is the number of. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric whose numbers are looked up when somebody asks: what nobody scrapes costs nothing. */
export interface SampledMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly labelNames: readonly string[];
  readonly sample: () => Iterable<Sample>;
}

/** Controllers that share a registry may show the same metric: it is shown once. */
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
