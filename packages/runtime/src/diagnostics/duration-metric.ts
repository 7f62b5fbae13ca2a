import { Histogram, type Registry } from 'prom-client';

export interface DurationMetricOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** Upper bounds of the buckets in seconds. */
  readonly buckets: readonly number[];
}

/** Observes a duration. */
export type ObserveDuration<Label extends string> = (labels: Readonly<Record<Label, string>>, seconds: number) => void;

/** Returns a function that observes durations in a histogram. Controllers that share a registry share the histogram. */
export function durationMetric<Label extends string>(
  registry: Registry,
  { name, help, labelNames, buckets }: DurationMetricOptions<Label>,
): ObserveDuration<Label> {
  const known = registry.getSingleMetric(name) as Histogram<Label> | undefined;
  const options = { name, help, labelNames: [...labelNames], buckets: [...buckets], registers: [registry] };
  const histogram = known ?? new Histogram<Label>(options);
  return (labels, seconds) => histogram.observe({ ...labels }, seconds);
}
