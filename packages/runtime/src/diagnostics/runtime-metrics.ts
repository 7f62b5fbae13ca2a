import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WorkQueue } from '../queue/index.js';
import type { ControllerMetrics, ReconcileResult } from './controller-metrics.js';

/** The buckets of controller-runtime's reconcile and work queue histograms. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueBuckets = Array.from({ length: 12 }, (_, index) => 1e-8 * 10 ** index);
const results: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

/** The metrics of one manager, with the names of controller-runtime. */
export class RuntimeMetrics {
  readonly registry = new Registry();
  readonly #queues = new Map<string, WorkQueue>();
  readonly #total = this.#counter(
    'controller_runtime_reconcile_total',
    'Total number of reconciles, by controller and result',
    ['controller', 'result'],
  );
  // Upstream's own pair of metrics. They have the same values, but count only Cluster API controllers when a manager runs others
  // too.
  readonly #capiTotal = this.#counter('capi_reconcile_total', 'Total number of reconciles, by controller and result', [
    'controller',
    'result',
  ]);
  readonly #capiSeconds = this.#histogram(
    'capi_reconcile_time_seconds',
    'Duration of a reconcile in seconds',
    reconcileBuckets,
    ['controller'],
  );
  readonly #staleSkips = this.#counter(
    'capi_reconcile_stale_cache_skips_total',
    'Total number of reconciles postponed because a cache had not observed the last write',
    ['controller', 'cached_kind'],
  );
  readonly #errors = this.#counter('controller_runtime_reconcile_errors_total', 'Total number of failed reconciles', [
    'controller',
  ]);
  readonly #terminal = this.#counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Total number of terminal errors: reconciles that are not retried until the object changes',
    ['controller'],
  );
  readonly #panics = this.#counter(
    'controller_runtime_reconcile_panics_total',
    'Total number of reconciles that failed with a programming error',
    ['controller'],
  );
  readonly #timeouts = this.#counter(
    'controller_runtime_reconcile_timeouts_total',
    'Total number of reconciles that timed out',
    ['controller'],
  );
  readonly #seconds = this.#histogram(
    'controller_runtime_reconcile_time_seconds',
    'Duration of a reconcile in seconds',
    reconcileBuckets,
    ['controller'],
  );
  readonly #active = this.#gauge('controller_runtime_active_workers', 'Number of reconciles in progress', [
    'controller',
  ]);
  readonly #concurrency = this.#gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Maximum number of concurrent reconciles',
    ['controller'],
  );
  readonly #adds = this.#counter('workqueue_adds_total', 'Total number of keys added to the queue', [
    'name',
    'controller',
  ]);
  readonly #retries = this.#counter('workqueue_retries_total', 'Total number of keys added again after a failure', [
    'name',
    'controller',
  ]);
  readonly #queued = this.#histogram(
    'workqueue_queue_duration_seconds',
    'Seconds that a key waits in the queue before it is processed',
    queueBuckets,
    ['name', 'controller'],
  );
  readonly #workDuration = this.#histogram(
    'workqueue_work_duration_seconds',
    'Seconds that processing a key takes',
    queueBuckets,
    ['name', 'controller'],
  );
  readonly #changes = this.#counter('slipway_changes_total', 'Total number of writes and calls made by controllers', [
    'controller',
    'kind',
    'verb',
    'reason',
  ]);
  readonly #leader = this.#gauge('leader_election_master_status', 'Whether this process is the leader: 1 or 0', [
    'name',
  ]);

  constructor() {
    const queues = this.#queues;
    const labels = (name: string): { name: string; controller: string } => ({ name, controller: name });
    this.#sampled(
      'workqueue_depth',
      'Number of keys ready to be processed',
      ['name', 'controller', 'priority'],
      (gauge) => {
        for (const [name, queue] of queues)
          for (const [priority, size] of queue.depths())
            gauge.set({ ...labels(name), priority: String(priority) }, size);
      },
    );
    this.#sampled(
      'workqueue_unfinished_work_seconds',
      'Seconds spent so far on keys that are being processed',
      ['name', 'controller'],
      (gauge) => {
        for (const [name, queue] of queues)
          gauge.set(
            labels(name),
            queue.unfinishedSeconds().reduce((sum, seconds) => sum + seconds, 0),
          );
      },
    );
    const longest = 'workqueue_longest_running_processor_seconds';
    this.#sampled(longest, 'Seconds spent so far on the longest-running key', ['name', 'controller'], (gauge) => {
      for (const [name, queue] of queues) gauge.set(labels(name), Math.max(0, ...queue.unfinishedSeconds()));
    });
  }

  forController(name: string, concurrency: number): ControllerMetrics {
    const labels = { controller: name };
    const queueLabels = { name, controller: name };
    this.#concurrency.set(labels, concurrency);
    for (const result of results) this.#total.inc({ ...labels, result }, 0);
    for (const counter of [this.#errors, this.#terminal, this.#panics, this.#timeouts]) counter.inc(labels, 0);
    // Create the child metrics once: the lookup of labels is most of the cost of an observation.
    const totals = new Map(
      results.map((result) => [
        result,
        [this.#total, this.#capiTotal].map((each) => each.labels({ ...labels, result })),
      ]),
    );
    const [errors, terminal, panics] = [this.#errors, this.#terminal, this.#panics].map((each) => each.labels(labels));
    const [seconds, capiSeconds, active, timeouts] = [
      this.#seconds.labels(labels),
      this.#capiSeconds.labels(labels),
      this.#active.labels(labels),
      this.#timeouts.labels(labels),
    ];
    const [adds, retries] = [this.#adds.labels(queueLabels), this.#retries.labels(queueLabels)];
    const [queued, worked] = [this.#queued.labels(queueLabels), this.#workDuration.labels(queueLabels)];
    return {
      attach: (queue) => void this.#queues.set(name, queue),
      reconciled(result, took) {
        for (const total of totals.get(result) ?? []) total.inc();
        seconds.observe(took);
        capiSeconds.observe(took);
      },
      failed: () => errors?.inc(),
      failedTerminally: () => terminal?.inc(),
      panicked: () => panics?.inc(),
      timedOut: () => timeouts.inc(),
      waitedForCache: (kind) => this.#staleSkips.inc({ ...labels, cached_kind: kind }),
      active: (count) => active.set(count),
      changed: (kind, verb, reason) => this.#changes.inc({ ...labels, kind, verb, reason }),
      queue: {
        added: () => adds.inc(),
        retried: () => retries.inc(),
        taken: (waited) => queued.observe(waited),
        finished: (took) => worked.observe(took),
      },
    };
  }

  leading(name: string, leads: boolean): void {
    this.#leader.set({ name }, leads ? 1 : 0);
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, buckets: number[], labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  #sampled<L extends string>(name: string, help: string, labelNames: L[], sample: (gauge: Gauge<L>) => void): void {
    const gauge: Gauge<L> = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => sample(gauge),
    });
  }
}
