import type { Sample, SampledMetric } from '@slipway/runtime';
import type { PendingLimit } from './pending-limit.js';
import type { Verdict } from './verdict.js';

/** Metrics of the approver. */
export class ApproverMetrics {
  #limit: Pick<PendingLimit, 'pending' | 'max'> = { pending: 0, max: 0 };
  readonly #approved = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  sawLimit(limit: PendingLimit): void {
    this.#limit = limit;
  }

  decided(verdict: Verdict): void {
    if (verdict.type === 'approve') count(this.#approved, `${verdict.flow} ${verdict.path}`);
    else count(this.#refused, `${verdict.type} ${verdict.reason}`);
  }

  /** Returns the metrics. The first two have upstream's names and cover Machines of both APIs. */
  sampled(): readonly SampledMetric[] {
    return [
      gauge('mapi_current_pending_csr', 'Pending certificate signing requests of kubelets', () => this.#limit.pending),
      gauge(
        'mapi_max_pending_csr',
        'Maximum number of pending requests. Above it, no request is approved',
        () => this.#limit.max,
      ),
      counter(
        'machine_approver_approved_total',
        'Approved certificate signing requests',
        ['type', 'path'],
        this.#approved,
      ),
      counter(
        'machine_approver_refused_total',
        'Reconciles of certificate signing requests that approved nothing',
        ['outcome', 'reason'],
        this.#refused,
      ),
    ];
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function gauge(name: string, help: string, value: () => number): SampledMetric {
  return { name, help, type: 'gauge', labelNames: [], sample: () => [{ labels: {}, value: value() }] };
}

function counter(
  name: string,
  help: string,
  labelNames: readonly [string, string],
  counts: ReadonlyMap<string, number>,
): SampledMetric {
  const [first, second] = labelNames;
  const sample = (): Sample[] =>
    [...counts].map(([key, value]) => {
      const [left = '', right = ''] = key.split(' ');
      return { labels: { [first]: left, [second]: right }, value };
    });
  return { name, help, type: 'counter', labelNames, sample };
}
