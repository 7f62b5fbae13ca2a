import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { type ReceivedCall, TestWebhook } from '../../http/webhooks/test-support.js';
import { configMap, isOfTest, TestServer, testSelector } from '../test-support.js';

export interface Review {
  readonly request: { readonly uid: string; readonly [field: string]: unknown };
}

export type Response = Record<string, unknown>;

/** Returns a response that allows the request, with the fields of `response` applied. */
export function respond(call: ReceivedCall, response: Response): object {
  const { request } = call.body as unknown as Review;
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request.uid, allowed: true, ...response },
  };
}

export function patch(operations: readonly object[]): Response {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

/** A server and a webhook for all tests of a file. Webhook configurations are deleted after each test. */
export class WebhookBench {
  server!: TestServer;
  webhook!: TestWebhook;
  readonly #configured: KubeObject[] = [];

  constructor() {
    beforeAll(async () => {
      this.webhook = await TestWebhook.start();
      this.server = await TestServer.start();
    });
    beforeEach(() => {
      this.server.warnings.length = 0;
    });
    afterEach(() => this.#clean());
    afterAll(async () => {
      await this.server.stop();
      await this.webhook.close();
    });
  }

  hook(changes: Record<string, unknown> = {}, path = '/'): Record<string, unknown> {
    return {
      name: 'hook.example.com',
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      clientConfig: { url: this.webhook.url(path), caBundle: this.webhook.caBundle },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      objectSelector: testSelector,
      ...changes,
    };
  }

  async configure(kind: 'Mutating' | 'Validating', name: string, ...webhooks: object[]): Promise<void> {
    const object = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks,
    };
    await this.server.create(object);
    this.#configured.push(object);
  }

  /** Returns the requests that the webhook received. */
  requests(): readonly Review['request'][] {
    return this.webhook.calls.map((call) => (call.body as unknown as Review).request);
  }

  async #clean(): Promise<void> {
    for (const object of this.#configured.splice(0)) await this.server.remove(object);
    for (const object of await this.server.list(configMap(''))) if (isOfTest(object)) await this.server.remove(object);
  }
}
