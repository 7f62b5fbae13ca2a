import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '@slipway/base';
import { TestWebhook } from '../../http/webhooks/test-support.js';
import { configMap, refusalOf, TestServer, testSelector } from '../test-support.js';

describe('webhook timeouts', () => {
  let webhook: TestWebhook;
  let server: TestServer;
  const clock = new VirtualClock();

  beforeAll(async () => {
    webhook = await TestWebhook.start(['slow.system.svc']);
    server = await TestServer.start({ clock, resolveService: () => ({ host: '127.0.0.1', port: webhook.port }) });
  });
  afterAll(async () => {
    await server.stop();
    await webhook.close();
  });

  it.each([
    [
      'Fail',
      'Internal error occurred: failed calling webhook "slow.example.com": failed to call webhook: Post "https://slow.system.svc:443/validate?timeout=3s": context deadline exceeded',
    ],
    ['Ignore', undefined],
  ])('aborts the call at its deadline and applies failurePolicy %s', async (failurePolicy, message) => {
    const reached = new Promise<void>((resolve) => {
      webhook.answer(() => {
        resolve();
        return undefined;
      });
    });
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'slow' },
      webhooks: [
        {
          name: 'slow.example.com',
          rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          clientConfig: {
            service: { namespace: 'system', name: 'slow', path: '/validate' },
            caBundle: webhook.caBundle,
          },
          sideEffects: 'None',
          timeoutSeconds: 3,
          objectSelector: testSelector,
          failurePolicy,
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    await server.create(configuration);
    const refusal = refusalOf(server.create(configMap(`slow-${failurePolicy.toLowerCase()}`)));
    await reached;
    await clock.advance(3_000);
    expect((await refusal)?.message).toBe(message);
    await server.delete(configuration);
  });
});
