import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { type ReceivedCall, TestWebhook } from '../../webhooks/test-support.js';
import { configMap, refusalOf, TestServer } from '../test-support.js';

let server: TestServer;
let webhook: TestWebhook;
const configured: KubeObject[] = [];

beforeAll(async () => {
  webhook = await TestWebhook.start();
  server = await TestServer.start();
});
beforeEach(() => {
  server.warnings.length = 0;
});
afterEach(async () => {
  for (const object of configured.splice(0)) await server.remove(object);
  for (const object of await server.list(configMap(''))) await server.remove(object);
});
afterAll(async () => {
  await server.stop();
  await webhook.close();
});

interface Review {
  readonly request: { readonly uid: string; readonly [field: string]: unknown };
}

type Response = Record<string, unknown>;

function respond(call: ReceivedCall, response: Response): object {
  const { request } = call.body as unknown as Review;
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request.uid, allowed: true, ...response },
  };
}

function patch(operations: readonly object[]): Response {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

function hook(changes: Record<string, unknown> = {}, path = '/'): Record<string, unknown> {
  return {
    name: 'hook.example.com',
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    clientConfig: { url: webhook.url(path), caBundle: webhook.caBundle },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...changes,
  };
}

async function configure(kind: 'Mutating' | 'Validating', name: string, ...webhooks: object[]): Promise<void> {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  };
  await server.create(object);
  configured.push(object);
}

function requests(): readonly Review['request'][] {
  return webhook.calls.map((call) => (call.body as unknown as Review).request);
}

describe('what a webhook is asked', () => {
  it('is an AdmissionReview v1 with the object, the user and the options', async () => {
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook());
    await server.create(configMap('one', { key: 'value' }), { fieldManager: 'me' });
    expect(webhook.calls[0]?.body).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'one',
        namespace: 'default',
        operation: 'CREATE',
        userInfo: { username: 'alice', uid: 'u1', groups: ['system:masters', 'system:authenticated'] },
        object: expect.objectContaining({ kind: 'ConfigMap', data: { key: 'value' } }) as unknown,
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
      },
    });
  });

  it('for DELETE has the old object only', async () => {
    await server.create(configMap('one'));
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook());
    await server.delete(configMap('one'));
    expect(requests()[0]).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { metadata: { name: 'one' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  it('has no name yet when the mutating one is asked about an object with generateName', async () => {
    webhook.answer((call) => respond(call, {}));
    await configure('Mutating', 'a', hook());
    const { name: _name, ...metadata } = configMap('x').metadata;
    await server.create({ ...configMap('x'), metadata: { ...metadata, generateName: 'gen-' } });
    expect(requests()[0]).not.toHaveProperty('name');
  });

  it('speaks v1beta1 to a webhook that knows nothing newer', async () => {
    webhook.answer(({ body }) => ({ response: { uid: (body as unknown as Review).request.uid, allowed: true } }));
    await configure('Validating', 'a', hook({ admissionReviewVersions: ['v1beta1'] }));
    await server.create(configMap('one'));
    expect(webhook.calls[0]?.body['apiVersion']).toBe('admission.k8s.io/v1beta1');
  });

  it('never is about webhook configurations and admission policies', async () => {
    webhook.answer((call) => respond(call, { allowed: false }));
    const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    await configure('Validating', 'a', hook({ rules: [everything] }));
    await configure('Mutating', 'b', hook({ rules: [everything] }));
    expect(webhook.calls).toHaveLength(0);
  });
});

describe('which requests a webhook is asked about', () => {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  const rows: [string, Record<string, unknown>, number][] = [
    ['the rule names the resource', { rules: [rule] }, 1],
    ['another operation', { rules: [{ ...rule, operations: ['UPDATE'] }] }, 0],
    ['another group', { rules: [{ ...rule, apiGroups: ['apps'] }] }, 0],
    ['every group', { rules: [{ ...rule, apiGroups: ['*'] }] }, 1],
    ['another version', { rules: [{ ...rule, apiVersions: ['v2'] }] }, 0],
    ['every resource', { rules: [{ ...rule, resources: ['*'] }] }, 1],
    ['every resource and subresource', { rules: [{ ...rule, resources: ['*/*'] }] }, 1],
    ['only subresources', { rules: [{ ...rule, resources: ['configmaps/status'] }] }, 0],
    ['every subresource of it', { rules: [{ ...rule, resources: ['configmaps/*'] }] }, 1],
    ['namespaced things', { rules: [{ ...rule, scope: 'Namespaced' }] }, 1],
    ['cluster-scoped things', { rules: [{ ...rule, scope: 'Cluster' }] }, 0],
    ['no rules', { rules: [] }, 0],
    ['labels that it has', { objectSelector: { matchLabels: { color: 'red' } } }, 1],
    ['labels that it has not', { objectSelector: { matchLabels: { color: 'blue' } } }, 0],
    [
      'a namespace by its label',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      1,
    ],
    ['another namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }, 0],
    ['a condition that holds', { matchConditions: [{ name: 'a', expression: 'object.data.key == "value"' }] }, 1],
    ['a condition that does not', { matchConditions: [{ name: 'a', expression: 'request.operation == "DELETE"' }] }, 0],
    [
      'a condition about the user',
      { matchConditions: [{ name: 'a', expression: 'request.userInfo.username != "alice"' }] },
      0,
    ],
    [
      'a condition about rights',
      {
        matchConditions: [
          { name: 'a', expression: 'authorizer.group("").resource("secrets").check("delete").allowed()' },
        ],
      },
      1,
    ],
  ];
  it.each(rows)('%s', async (_name, changes, calls) => {
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook(changes));
    await server.create(configMap('one', { key: 'value' }, { color: 'red' }));
    expect(webhook.calls).toHaveLength(calls);
  });

  it('objectSelector/namespaceSelector evaluate on old or new; deletion uses oldObject', async () => {
    const old = await server.create(configMap('one', {}, { color: 'red' }));
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook({ objectSelector: { matchLabels: { color: 'red' } } }));
    const changed = await server.update({ ...old, metadata: { ...old.metadata, labels: {} } });
    expect(webhook.calls).toHaveLength(1);
    await server.update({ ...changed, data: { a: 'b' } });
    expect(webhook.calls).toHaveLength(1);
    await server.create(configMap('two', {}, { color: 'red' }));
    await server.delete(configMap('two'));
    expect(requests().map((request) => request['operation'])).toEqual(['UPDATE', 'CREATE', 'DELETE']);
  });

  it('namespaces match by their own labels, other cluster-scoped objects always', async () => {
    webhook.answer((call) => respond(call, {}));
    const rules = [
      { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] },
      { operations: ['*'], apiGroups: ['storage.k8s.io'], apiVersions: ['v1'], resources: ['storageclasses'] },
    ];
    await configure('Validating', 'a', hook({ rules, namespaceSelector: { matchLabels: { watched: 'yes' } } }));
    const namespace = (name: string, labels: object): object => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });
    await server.create(namespace('watched', { watched: 'yes' }));
    await server.create(namespace('unwatched', {}));
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'example.com/x',
    };
    await server.create(storageClass);
    expect(requests().map(({ name, namespace: place }) => [name, place])).toEqual([
      ['watched', 'watched'],
      ['fast', undefined],
    ]);
    await server.delete(storageClass);
  });
});

describe('what a webhook answers', () => {
  const denials: [string, Response, { code: number; reason: string; message: string }][] = [
    [
      'with a message and a code',
      { status: { code: 403, message: 'not today', reason: 'Forbidden' } },
      { code: 403, reason: 'Forbidden', message: 'admission webhook "hook.example.com" denied the request: not today' },
    ],
    [
      'with a reason only',
      { status: { reason: 'Busy' } },
      { code: 400, reason: 'Busy', message: 'admission webhook "hook.example.com" denied the request: Busy' },
    ],
    [
      'with nothing',
      {},
      { code: 400, reason: '', message: 'admission webhook "hook.example.com" denied the request without explanation' },
    ],
    [
      'with the code of a success',
      { status: { code: 200, status: 'Success' } },
      { code: 400, reason: '', message: 'admission webhook "hook.example.com" denied the request without explanation' },
    ],
  ];
  it.each(denials)('denies %s', async (_name, response, expected) => {
    webhook.answer((call) => respond(call, { allowed: false, ...response }));
    await configure('Validating', 'a', hook());
    expect(await refusalOf(server.create(configMap('one')))).toEqual(expected);
  });

  it('warns', async () => {
    webhook.answer((call) => respond(call, { warnings: ['careful', 7, 'really'] }));
    await configure('Validating', 'a', hook());
    await server.create(configMap('one'));
    expect(server.warnings).toEqual(['careful', 'really']);
  });

  it('Webhook JSONPatch results go through defaulting, pruning and validation again', async () => {
    await configure('Mutating', 'a', hook());
    webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/unknown', value: 1 }])));
    expect(await server.create(configMap('pruned'))).not.toHaveProperty('unknown');
    webhook.answer((call) =>
      respond(call, patch([{ op: 'add', path: '/metadata/labels', value: { 'bad key': 'x' } }])),
    );
    expect(await refusalOf(server.create(configMap('invalid')))).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('calls mutating webhooks in the order of configurations, each seeing what those before it did', async () => {
    const seen: [string, unknown][] = [];
    webhook.answer((call) => {
      const { object } = (call.body as unknown as Review).request as unknown as { object: KubeObject };
      seen.push([call.path.split('?')[0] ?? '', object['data']]);
      return respond(call, patch([{ op: 'add', path: `/data${call.path.split('?')[0] ?? ''}`, value: 'x' }]));
    });
    await configure('Mutating', 'b', hook({ name: 'three.example.com' }, '/three'));
    await configure('Mutating', 'a', hook({}, '/one'), hook({ name: 'two.example.com' }, '/two'));
    const created = await server.create(configMap('one', { zero: 'x' }));
    expect(seen).toEqual([
      ['/one', { zero: 'x' }],
      ['/two', { zero: 'x', one: 'x' }],
      ['/three', { zero: 'x', one: 'x', two: 'x' }],
    ]);
    expect(created['data']).toEqual({ zero: 'x', one: 'x', two: 'x', three: 'x' });
  });

  it('calls again those who ask for it when somebody changed the object after them, and nobody else', async () => {
    webhook.answer((call) => {
      const path = call.path.split('?')[0] ?? '';
      return respond(call, path === '/last' ? patch([{ op: 'add', path: '/data/last', value: 'x' }]) : {});
    });
    await configure(
      'Mutating',
      'a',
      hook({ reinvocationPolicy: 'IfNeeded' }, '/again'),
      hook({ name: 'never.example.com' }, '/never'),
      hook({ name: 'last.example.com', reinvocationPolicy: 'IfNeeded' }, '/last'),
    );
    await server.create(configMap('one', { first: 'x' }));
    expect(webhook.calls.map((call) => call.path.split('?')[0])).toEqual(['/again', '/never', '/last', '/again']);
  });

  it('calls validating webhooks at once', async () => {
    let waiting = 0;
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    webhook.answer(async (call) => {
      waiting += 1;
      if (waiting === 2) open();
      await both;
      return respond(call, {});
    });
    await configure('Validating', 'a', hook({}, '/one'), hook({ name: 'two.example.com' }, '/two'));
    await server.create(configMap('one'));
    expect(webhook.calls).toHaveLength(2);
  });

  it('cannot change what is being deleted', async () => {
    await server.create(configMap('one'));
    webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/data', value: {} }])));
    await configure('Mutating', 'a', hook());
    expect(await refusalOf(server.delete(configMap('one')))).toEqual({
      code: 500,
      reason: 'InternalError',
      message:
        'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
    });
  });
});

describe('dry run', () => {
  it.each([
    ['None', undefined],
    ['NoneOnDryRun', undefined],
  ])('asks webhooks with side effects %s', async (sideEffects, expected) => {
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook({ sideEffects }));
    expect(await refusalOf(server.create(configMap('one'), { dryRun: true }))).toEqual(expected);
    expect(requests()[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  it('dryRun create with generateName returns a generated name, and must not reserve quota or names', async () => {
    const { name: _name, ...metadata } = configMap('x').metadata;
    const object = { ...configMap('x'), metadata: { ...metadata, generateName: 'gen-' } };
    const created = await server.create(object, { dryRun: true });
    expect(created.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
    expect(await server.list(configMap(''))).toHaveLength(0);
  });
});

const failure = 'Internal error occurred: failed calling webhook "hook.example.com": ';

describe('a webhook that cannot be asked', () => {
  it('fails the request by default, with the same text as its cause', async () => {
    await configure('Validating', 'a', hook({ clientConfig: { url: 'https://127.0.0.1:1/x' } }));
    const error = (await server.create(configMap('one')).catch((thrown: unknown) => thrown)) as {
      message: string;
      details: unknown;
    };
    const text =
      'failed calling webhook "hook.example.com": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused';
    expect(error.message).toBe(`Internal error occurred: ${text}`);
    expect(error.details).toEqual({ causes: [{ message: text }] });
  });

  it.each(['Mutating', 'Validating'] as const)('is passed over where failures are ignored (%s)', async (kind) => {
    await configure(kind, 'a', hook({ clientConfig: { url: 'https://127.0.0.1:1/x' }, failurePolicy: 'Ignore' }));
    expect(await refusalOf(server.create(configMap('one')))).toBeUndefined();
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
  ])('because its condition fails follows its policy %s', async (failurePolicy, expected) => {
    webhook.answer((call) => respond(call, {}));
    await configure('Validating', 'a', hook({ failurePolicy, matchConditions: conditions }));
    expect(await refusalOf(server.create(configMap('one', { key: 'x' })))).toEqual(expected);
    expect(webhook.calls).toHaveLength(0);
  });
});

describe('hostile answers', () => {
  const rows: [string, (call: ReceivedCall) => object, string][] = [
    ['nothing', () => ({}), `${failure}received invalid webhook response: webhook response was absent`],
    [
      'another uid',
      (call) => respond(call, { uid: 'other' }),
      `${failure}received invalid webhook response: expected response.uid=`,
    ],
    [
      'another kind',
      (call) => ({ ...respond(call, {}), kind: 'Pod' }),
      `${failure}received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=Pod`,
    ],
    [
      'a patch without its type',
      (call) => respond(call, { patch: 'W10=' }),
      `${failure}received invalid webhook response: webhook returned response.patch but not response.patchType`,
    ],
    [
      'a type without a patch',
      (call) => respond(call, { patchType: 'JSONPatch' }),
      `${failure}received invalid webhook response: webhook returned response.patchType but not response.patch`,
    ],
    [
      'a patch that is no base64',
      (call) => respond(call, { patchType: 'JSONPatch', patch: '***' }),
      `${failure}received undecodable patch in webhook response: illegal base64 data`,
    ],
    [
      'a patch that is no patch',
      (call) => respond(call, { patchType: 'JSONPatch', patch: Buffer.from('{"a":1}').toString('base64') }),
      `${failure}received undecodable patch in webhook response: `,
    ],
    [
      'a patch of another type',
      (call) => respond(call, { ...patch([{ op: 'add', path: '/data', value: {} }]), patchType: 'Merge' }),
      `${failure}unsupported patch type "Merge"`,
    ],
    [
      'a patch that does not apply',
      (call) => respond(call, patch([{ op: 'remove', path: '/nothing/there' }])),
      'Internal error occurred: remove operation does not apply',
    ],
    [
      'a patch that replaces the object by a number',
      (call) => respond(call, patch([{ op: 'replace', path: '', value: 5 }])),
      'Internal error occurred: ',
    ],
    [
      'a patch that makes another kind of it',
      (call) => respond(call, patch([{ op: 'replace', path: '/kind', value: 'Secret' }])),
      'Internal error occurred: admission webhook "hook.example.com" patched the object into something that is not a ConfigMap',
    ],
    [
      'a patch that takes the metadata away',
      (call) => respond(call, patch([{ op: 'replace', path: '/metadata', value: 'x' }])),
      'Internal error occurred: admission webhook "hook.example.com" patched the object into something that is not a ConfigMap',
    ],
    [
      'a patch of the wrong types',
      (call) => respond(call, patch([{ op: 'replace', path: '/data', value: [1] }])),
      'Internal error occurred: ',
    ],
    ['an answer that is not a boolean', (call) => respond(call, { allowed: 'yes' }), `${failure}received invalid`],
  ];
  it.each(rows)('%s', async (_name, answer, message) => {
    webhook.answer(answer);
    await configure('Mutating', 'a', hook());
    const refusal = await refusalOf(server.create(configMap('one', { key: 'value' })));
    expect(refusal?.code).toBe(500);
    expect(refusal?.message.slice(0, message.length)).toBe(message);
  });

  it('keys of prototypes stay ordinary keys', async () => {
    const value = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    webhook.answer((call) => {
      const text = `[{"op":"add","path":"/data","value":${JSON.stringify(value)}},{"op":"add","path":"/__proto__/polluted","value":1}]`;
      return respond(call, { patchType: 'JSONPatch', patch: Buffer.from(text).toString('base64') });
    });
    await configure('Mutating', 'a', hook());
    await refusalOf(server.create(configMap('one')));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('a validating webhook that sends a patch', async () => {
    webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/data', value: {} }])));
    await configure('Validating', 'a', hook());
    expect((await refusalOf(server.create(configMap('one'))))?.message).toBe(
      `${failure}received invalid webhook response: validating webhook may not return response.patch`,
    );
  });
});
