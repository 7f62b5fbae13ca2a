import type { Clock } from '@slipway/base';
import { Counter, type Registry as MetricsRegistry } from 'prom-client';
import type { UserInfo } from '../contract/index.js';
import type { AuditBackend } from './audit-event.js';
import { AuditTrail, type AuditedRequest } from './audit-trail.js';
import { type AuditPolicy, evaluatePolicy } from './policy.js';

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
}

/** Evaluates the audit policy for each request and sends the events to every backend. */
export class Auditor {
  readonly #events: Counter;
  readonly #levels: Counter;

  constructor(private readonly options: AuditOptions & { readonly clock: Clock; readonly metrics: MetricsRegistry }) {
    const registers = [options.metrics];
    this.#events = new Counter({
      name: 'apiserver_audit_event_total',
      help: 'Audit events that were generated and sent to the audit backends.',
      registers,
    });
    this.#levels = new Counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests by the audit level that the policy selected.',
      labelNames: ['level'],
      registers,
    });
  }

  /** Returns the trail of a request, or undefined if the policy does not audit it. */
  begin(request: AuditedRequest, user: UserInfo | undefined): AuditTrail | undefined {
    const decision = evaluatePolicy(this.options.policy, user, request.access);
    this.#levels.inc({ level: decision.level });
    if (decision.level === 'None') return undefined;
    return new AuditTrail(request, user, decision, this.options.clock, (event) => this.#send(event));
  }

  #send(event: string): void {
    this.#events.inc();
    for (const backend of this.options.backends) backend.accept(event);
  }
}
