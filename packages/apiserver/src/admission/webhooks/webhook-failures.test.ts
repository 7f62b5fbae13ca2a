import { describe, expect, it } from 'vitest';
import type { ReceivedCall } from '../../http/webhooks/test-support.js';
import { configMap, refusalOf } from '../test-support.js';
import { patch, respond, WebhookBench } from './webhook-bench.js';

const bench = new WebhookBench();
const failure = 'Internal error occurred: failed calling webhook "hook.example.com": ';

describe('webhook call failures', () => {
  it('fails the request by default, with the error as its cause', async () => {
    await bench.configure('Validating', 'a', bench.hook({ clientConfig: { url: 'https://127.0.0.1:1/x' } }));
    const error = (await bench.server.create(configMap('one')).catch((thrown: unknown) => thrown)) as {
      message: string;
      details: unknown;
    };
    const text =
      'failed calling webhook "hook.example.com": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused';
    expect(error.message).toBe(`Internal error occurred: ${text}`);
    expect(error.details).toEqual({ causes: [{ message: text }] });
  });

  it.each(['Mutating', 'Validating'] as const)('skips the webhook if failurePolicy is Ignore (%s)', async (kind) => {
    await bench.configure(
      kind,
      'a',
      bench.hook({ clientConfig: { url: 'https://127.0.0.1:1/x' }, failurePolicy: 'Ignore' }),
    );
    expect(await refusalOf(bench.server.create(configMap('one')))).toBeUndefined();
  });

  const conditions = [{ name: 'a', expression: 'object.data.missing == "x"' }];
  it.each([
    [
      'Fail',
      {
        code: 403,
        reason: 'Forbidden',
        message:
          'configmaps "one" is forbidden: expression \'object.data.missing == "x"\' resulted in error: no such key: missing',
      },
    ],
    ['Ignore', undefined],
  ])('applies failurePolicy %s if a match condition fails', async (failurePolicy, expected) => {
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook({ failurePolicy, matchConditions: conditions }));
    expect(await refusalOf(bench.server.create(configMap('one', { key: 'x' })))).toEqual(expected);
    expect(bench.webhook.calls).toHaveLength(0);
  });
});

describe('malformed webhook responses', () => {
  const rows: [string, (call: ReceivedCall) => object, string][] = [
    [
      'rejects an empty response',
      () => ({}),
      `${failure}received invalid webhook response: webhook response was absent`,
    ],
    [
      'rejects another uid',
      (call) => respond(call, { uid: 'other' }),
      `${failure}received invalid webhook response: expected response.uid=`,
    ],
    [
      'rejects another kind',
      (call) => ({ ...respond(call, {}), kind: 'Pod' }),
      `${failure}received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=Pod`,
    ],
    [
      'rejects a patch without its type',
      (call) => respond(call, { patch: 'W10=' }),
      `${failure}received invalid webhook response: webhook returned response.patch but not response.patchType`,
    ],
    [
      'rejects a type without a patch',
      (call) => respond(call, { patchType: 'JSONPatch' }),
      `${failure}received invalid webhook response: webhook returned response.patchType but not response.patch`,
    ],
    [
      'rejects a patch that is not base64',
      (call) => respond(call, { patchType: 'JSONPatch', patch: '***' }),
      `${failure}received undecodable patch in webhook response: illegal base64 data`,
    ],
    [
      'rejects a patch that is not a JSON patch',
      (call) => respond(call, { patchType: 'JSONPatch', patch: Buffer.from('{"a":1}').toString('base64') }),
      `${failure}received undecodable patch in webhook response: `,
    ],
    [
      'rejects a patch of another type',
      (call) => respond(call, { ...patch([{ op: 'add', path: '/data', value: {} }]), patchType: 'Merge' }),
      `${failure}unsupported patch type "Merge"`,
    ],
    [
      'rejects a patch that does not apply',
      (call) => respond(call, patch([{ op: 'remove', path: '/nothing/there' }])),
      'Internal error occurred: remove operation does not apply',
    ],
    [
      'rejects a patch that replaces the object with a number',
      (call) => respond(call, patch([{ op: 'replace', path: '', value: 5 }])),
      'Internal error occurred: ',
    ],
    [
      'rejects a patch that changes the kind',
      (call) => respond(call, patch([{ op: 'replace', path: '/kind', value: 'Secret' }])),
      'Internal error occurred: admission webhook "hook.example.com" patched the object into something that is not a ConfigMap',
    ],
    [
      'rejects a patch that removes the metadata',
      (call) => respond(call, patch([{ op: 'replace', path: '/metadata', value: 'x' }])),
      'Internal error occurred: admission webhook "hook.example.com" patched the object into something that is not a ConfigMap',
    ],
    [
      'rejects a patch with values of the wrong type',
      (call) => respond(call, patch([{ op: 'replace', path: '/data', value: [1] }])),
      'Internal error occurred: ',
    ],
    [
      'rejects a response whose allowed is not a boolean',
      (call) => respond(call, { allowed: 'yes' }),
      `${failure}received invalid`,
    ],
  ];
  it.each(rows)('%s', async (_name, answer, message) => {
    bench.webhook.answer(answer);
    await bench.configure('Mutating', 'a', bench.hook());
    const refusal = await refusalOf(bench.server.create(configMap('one', { key: 'value' })));
    expect(refusal?.code).toBe(500);
    expect(refusal?.message.slice(0, message.length)).toBe(message);
  });

  it('treats keys of Object.prototype as ordinary keys', async () => {
    const value = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    bench.webhook.answer((call) => {
      const text = `[{"op":"add","path":"/data","value":${JSON.stringify(value)}},{"op":"add","path":"/__proto__/polluted","value":1}]`;
      return respond(call, { patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') });
    });
    await bench.configure('Mutating', 'a', bench.hook());
    await refusalOf(bench.server.create(configMap('one')));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('rejects a patch of a validating webhook', async () => {
    bench.webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/data', value: {} }])));
    await bench.configure('Validating', 'a', bench.hook());
    expect((await refusalOf(bench.server.create(configMap('one'))))?.message).toBe(
      `${failure}received invalid webhook response: validating webhook may not return response.patch`,
    );
  });
});

describe('webhook metrics', () => {
  it('counts calls, rejections and ignored failures', async () => {
    bench.webhook.answer((call) => respond(call, { allowed: false, status: { code: 403 } }));
    await bench.configure('Validating', 'a', bench.hook({ name: 'counted.example.com' }));
    await refusalOf(bench.server.create(configMap('one')));
    await bench.configure(
      'Mutating',
      'b',
      bench.hook({ name: 'open.example.com', clientConfig: { url: 'https://127.0.0.1:1/x' }, failurePolicy: 'Ignore' }),
    );
    await refusalOf(bench.server.create(configMap('two')));
    const text = await bench.server.server.metrics.metrics();
    expect(text).toContain(
      'apiserver_admission_webhook_rejection_count{name="counted.example.com",type="validating",operation="CREATE",error_type="no_error",rejection_code="403"} 2',
    );
    expect(text).toContain('apiserver_admission_webhook_fail_open_count{name="open.example.com",type="admit"} 1');
  });
});
