import { durationMetric } from '@slipway/runtime';
import { Counter, type Registry } from 'prom-client';
import { hooksApiVersion, type RuntimeHook } from './runtime-hooks.js';

interface ExtensionOutcome {
  readonly hook: RuntimeHook;
  readonly host: string;
  readonly seconds: number;
  /** HTTP status code. Undefined without a response. */
  readonly code?: number;
  /** The status in the response, such as `Success`. */
  readonly status?: string;
}

/** Observes one call. */
export type ObserveExtension = (outcome: ExtensionOutcome) => void;

const [group = '', version = ''] = hooksApiVersion.split('/');
const requestLabels = ['code', 'host', 'group', 'version', 'hook', 'status'] as const;
const durationLabels = ['host', 'group', 'version', 'hook'] as const;
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Registers metrics of extension calls under upstream's names. All controllers share them. */
export function extensionMetrics(registry: Registry): ObserveExtension {
  const name = 'capi_runtime_sdk_requests_total';
  const help = 'Total number of runtime extension calls, by HTTP status code, host, hook and response status';
  const known = registry.getSingleMetric(name) as Counter<(typeof requestLabels)[number]> | undefined;
  const requests = known ?? new Counter({ name, help, labelNames: requestLabels, registers: [registry] });
  const observe = durationMetric(registry, {
    name: 'capi_runtime_sdk_request_duration_seconds',
    help: 'Duration of runtime extension calls in seconds, by hook and host',
    labelNames: durationLabels,
    buckets,
  });
  return ({ hook, host, seconds, code, status }) => {
    const labels = { host, group, version, hook };
    requests.inc({ ...labels, code: code === undefined ? '<error>' : String(code), status: status ?? 'Unknown' });
    observe(labels, seconds);
  };
}
