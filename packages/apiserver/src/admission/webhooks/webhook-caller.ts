import type { Clock, Logger, Random } from '@slipway/base';
import { generateUid, internalError, StatusError } from '@slipway/kube';
import { WebhookCallError, type WebhookClient } from '../../http/index.js';
import type { AdmissionRequest } from '../../contract/index.js';
import type { View } from '../matching/equivalents.js';
import type { VersionedObjects } from '../matching/versioned-request.js';
import { admissionReview, type AdmissionVerdict, readReview, reviewVersion } from './admission-review.js';
import { denial, dryRunUnsupported } from './denial.js';
import type { Webhook } from './webhook.js';
import type { WebhookMetrics } from './webhook-metrics.js';

export interface WebhookCallerOptions {
  readonly client: WebhookClient;
  readonly random: Random;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics;
}

/** Thrown if a webhook returned no valid verdict. The failure policy decides the outcome. */
export class NoVerdict extends Error {
  override readonly name = 'NoVerdict';

  constructor(hook: Webhook, reason: string) {
    super(`failed calling webhook ${JSON.stringify(hook.name)}: ${reason}`);
  }
}

/** Calls webhooks and converts their results for the admission pipeline. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  /**
   * Calls a webhook and returns its verdict if it allows the request. Throws a StatusError if it denies the request, and
   * NoVerdict if it returns no valid verdict.
   */
  async ask(
    hook: Webhook,
    request: AdmissionRequest,
    view: View,
    objects: VersionedObjects,
    mutating: boolean,
  ): Promise<AdmissionVerdict> {
    const begun = this.#options.clock.monotonic();
    const observe = (error?: unknown): void => this.#observe(hook, request, mutating, begun, error);
    try {
      const verdict = await this.#ask(hook, request, view, objects, mutating);
      observe();
      return verdict;
    } catch (error) {
      observe(error);
      throw error;
    }
  }

  async #ask(
    hook: Webhook,
    request: AdmissionRequest,
    view: View,
    objects: VersionedObjects,
    mutating: boolean,
  ): Promise<AdmissionVerdict> {
    if (request.dryRun && hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun')
      throw dryRunUnsupported(hook.name);
    const version = reviewVersion(hook.reviewVersions);
    if (version === undefined)
      throw new NoVerdict(
        hook,
        'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      );
    const uid = generateUid(this.#options.random);
    const answer = await this.#call(hook, admissionReview(version, uid, request, view, objects), request);
    const verdict = tryRead(hook, () => readReview(answer, version, uid, mutating));
    for (const warning of verdict.warnings) request.warn(warning);
    if (!verdict.allowed) throw denial(hook.name, verdict.status);
    return verdict;
  }

  /** Returns the error with which a failed call fails the request, or undefined if the failure policy ignores it. */
  settle(hook: Webhook, request: AdmissionRequest, error: unknown): StatusError | undefined {
    if (error instanceof StatusError) return error;
    if (!(error instanceof NoVerdict)) return internalError(error instanceof Error ? error.message : String(error));
    const fields = { webhook: hook.name, err: error };
    if (!hook.ignoresFailure) {
      this.#options.logger.warn(fields, 'Failed calling webhook, failing closed');
      return internalError(error.message);
    }
    this.#options.logger.warn(fields, 'Failed calling webhook, failing open');
    return request.signal.aborted ? timedOut() : undefined;
  }

  #observe(hook: Webhook, request: AdmissionRequest, mutating: boolean, begun: number, error: unknown): void {
    const failedOpen = error instanceof NoVerdict && hook.ignoresFailure;
    const unanswered = error instanceof NoVerdict ? 'calling_webhook_error' : 'apiserver_internal_error';
    const cause = error instanceof StatusError ? 'no_error' : unanswered;
    const codeOfFailure = error instanceof StatusError ? error.code : 0;
    this.#options.metrics.observe({
      hook,
      kind: mutating ? 'admit' : 'validating',
      operation: request.operation,
      seconds: (this.#options.clock.monotonic() - begun) / 1000,
      code: error === undefined ? 200 : codeOfFailure,
      rejection: error === undefined || failedOpen ? undefined : cause,
      failedOpen,
    });
  }

  async #call(
    hook: Webhook,
    body: object,
    request: AdmissionRequest,
  ): Promise<Awaited<ReturnType<WebhookClient['post']>>> {
    try {
      return await this.#options.client.post({
        config: hook.clientConfig,
        body,
        timeoutMs: hook.timeoutMs,
        signal: request.signal,
      });
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      throw new NoVerdict(hook, `failed to call webhook: ${error.message}`);
    }
  }
}

function tryRead<T>(hook: Webhook, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new NoVerdict(
      hook,
      `received invalid webhook response: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function timedOut(): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within requested timeout',
    details: {},
  });
}
