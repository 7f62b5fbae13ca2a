import { Counter, Histogram, type Registry as MetricsRegistry } from 'prom-client';
import type { Webhook } from './webhook.js';

type WebhookKind = 'admit' | 'validating';
type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';

/** The outcome of one webhook call. */
export interface WebhookOutcome {
  readonly hook: Webhook;
  readonly kind: WebhookKind;
  readonly operation: string;
  readonly seconds: number;
  readonly code: number;
  /** Why the request was rejected; undefined if it was not. */
  readonly rejection: RejectionCause | undefined;
  readonly failedOpen: boolean;
}

const secondsBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** Webhook metrics with upstream's names. The number of series is bounded by the number of webhooks. */
export class WebhookMetrics {
  readonly #seconds: Histogram;
  readonly #requests: Counter;
  readonly #rejections: Counter;
  readonly #failOpen: Counter;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Latency of admission webhooks in seconds, by name, operation and kind.',
      labelNames: ['name', 'type', 'operation', 'rejected'],
      buckets: secondsBuckets,
      registers,
    });
    this.#requests = new Counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls of admission webhooks by name, kind, operation, HTTP code and outcome.',
      labelNames: ['name', 'type', 'operation', 'code', 'rejected'],
      registers,
    });
    this.#rejections = new Counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests rejected by admission webhooks, by reason.',
      labelNames: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
      registers,
    });
    this.#failOpen = new Counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Calls of admission webhooks that failed and were ignored.',
      labelNames: ['name', 'type'],
      registers,
    });
  }

  observe(outcome: WebhookOutcome): void {
    const { hook, kind, operation, code, rejection } = outcome;
    const labels = { name: hook.name, type: kind, operation, rejected: String(rejection !== undefined) };
    this.#seconds.observe(labels, outcome.seconds);
    this.#requests.inc({ ...labels, code: String(code) });
    if (outcome.failedOpen) this.#failOpen.inc({ name: hook.name, type: kind });
    if (rejection === undefined) return;
    // The webhook chooses the rejection code: all codes above 600 share one label value, which bounds the number of series.
    const rejectionCode = rejection === 'no_error' ? String(code > 600 ? 600 : code) : '0';
    this.#rejections.inc({
      name: hook.name,
      type: kind,
      operation,
      error_type: rejection,
      rejection_code: rejectionCode,
    });
  }
}
