import type { Disposable } from '@slipway/base';
import type { StatusError } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest } from '../../contract/index.js';
import type { View } from '../matching/equivalents.js';
import { VersionedRequest } from '../matching/versioned-request.js';
import type { WebhookPluginOptions } from './mutating-webhooks.js';
import type { Webhook } from './webhook.js';

/** Calls validating webhooks in parallel. All of them must allow the request. */
export class ValidatingWebhooks implements AdmissionPlugin, Disposable {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #options: WebhookPluginOptions;

  constructor(options: WebhookPluginOptions) {
    this.#options = options;
  }

  handles(request: AdmissionRequest): boolean {
    return this.#options.source.candidates(request).length > 0;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const own = this.#options.equivalents.view(request.resource);
    if (own === undefined) return;
    const versioned = new VersionedRequest(request, own);
    const calls: { readonly hook: Webhook; readonly view: View }[] = [];
    for (const hook of this.#options.source.candidates(request)) {
      const view = await this.#options.source.match(hook, request, versioned);
      if (view !== undefined) {
        // Convert before the parallel calls and one by one, so that two calls do not convert the same object twice.
        await versioned.at(view);
        calls.push({ hook, view });
      }
    }
    const refusals = await Promise.all(calls.map(({ hook, view }) => this.#callOne(hook, view, request, versioned)));
    const first = refusals.find((refusal) => refusal !== undefined);
    if (first !== undefined) throw first;
  }

  dispose(): void {
    this.#options.source.dispose();
  }

  async #callOne(
    hook: Webhook,
    view: View,
    request: AdmissionRequest,
    versioned: VersionedRequest,
  ): Promise<StatusError | undefined> {
    const { caller } = this.#options;
    try {
      await caller.ask(hook, request, view, await versioned.at(view), false);
      return undefined;
    } catch (error) {
      return caller.settle(hook, request, error);
    }
  }
}
