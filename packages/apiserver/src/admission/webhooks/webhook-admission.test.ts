import { describe, expect, it } from 'vitest';
import type { KubeObject, StatusError } from '@slipway/kube';
import { configMap, isOfTest, refusalOf } from '../test-support.js';
import { patch, respond, type Response, type Review, WebhookBench } from './webhook-bench.js';

const bench = new WebhookBench();

describe('the AdmissionReview of a webhook call', () => {
  it('is an AdmissionReview v1 with the object, the user and the options', async () => {
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook());
    await bench.server.create(configMap('one', { key: 'value' }), { fieldManager: 'me' });
    expect(bench.webhook.calls[0]?.body).toEqual({
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

  it('contains only the old object for DELETE', async () => {
    await bench.server.create(configMap('one'));
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook());
    await bench.server.delete(configMap('one'));
    expect(bench.requests()[0]).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { metadata: { name: 'one' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  it('contains no name in mutating calls for an object with generateName', async () => {
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Mutating', 'a', bench.hook());
    const { name: _name, ...metadata } = configMap('x').metadata;
    await bench.server.create({ ...configMap('x'), metadata: { ...metadata, generateName: 'gen-' } });
    expect(bench.requests()[0]).not.toHaveProperty('name');
  });

  it('uses v1beta1 for a webhook that supports nothing newer', async () => {
    bench.webhook.answer(({ body }) => ({ response: { uid: (body as unknown as Review).request.uid, allowed: true } }));
    await bench.configure('Validating', 'a', bench.hook({ admissionReviewVersions: ['v1beta1'] }));
    await bench.server.create(configMap('one'));
    expect(bench.webhook.calls[0]?.body['apiVersion']).toBe('admission.k8s.io/v1beta1');
  });

  it('is never sent for webhook configurations and admission policies', async () => {
    bench.webhook.answer((call) => respond(call, { allowed: false }));
    const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    await bench.configure('Validating', 'a', bench.hook({ rules: [everything] }));
    await bench.configure('Mutating', 'b', bench.hook({ rules: [everything] }));
    expect(bench.webhook.calls).toHaveLength(0);
  });
});

describe('matching of requests by a webhook', () => {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  const rows: [string, Record<string, unknown>, number][] = [
    ['matches a rule that names the resource', { rules: [rule] }, 1],
    ['does not match another operation', { rules: [{ ...rule, operations: ['UPDATE'] }] }, 0],
    ['does not match another group', { rules: [{ ...rule, apiGroups: ['apps'] }] }, 0],
    ['matches every group', { rules: [{ ...rule, apiGroups: ['*'] }] }, 1],
    ['does not match another version', { rules: [{ ...rule, apiVersions: ['v2'] }] }, 0],
    ['matches every resource', { rules: [{ ...rule, resources: ['*'] }] }, 1],
    ['matches every resource and subresource', { rules: [{ ...rule, resources: ['*/*'] }] }, 1],
    ['does not match a rule for subresources only', { rules: [{ ...rule, resources: ['configmaps/status'] }] }, 0],
    [
      'matches a rule for the resource and all of its subresources',
      { rules: [{ ...rule, resources: ['configmaps/*'] }] },
      1,
    ],
    ['matches namespaced resources', { rules: [{ ...rule, scope: 'Namespaced' }] }, 1],
    ['does not match cluster-scoped resources', { rules: [{ ...rule, scope: 'Cluster' }] }, 0],
    ['does not match without rules', { rules: [] }, 0],
    ['matches labels of the object', { objectSelector: { matchLabels: { color: 'red' } } }, 1],
    ['does not match labels that the object does not have', { objectSelector: { matchLabels: { color: 'blue' } } }, 0],
    [
      'matches a namespace by its label',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      1,
    ],
    [
      'does not match another namespace',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
      0,
    ],
    [
      'matches if a condition is true',
      { matchConditions: [{ name: 'a', expression: 'object.data.key == "value"' }] },
      1,
    ],
    [
      'does not match if a condition is false',
      { matchConditions: [{ name: 'a', expression: 'request.operation == "DELETE"' }] },
      0,
    ],
    [
      'does not match if a condition on the user is false',
      { matchConditions: [{ name: 'a', expression: 'request.userInfo.username != "alice"' }] },
      0,
    ],
    [
      'matches if a condition on the authorizer is true',
      {
        matchConditions: [
          { name: 'a', expression: 'authorizer.group("").resource("secrets").check("delete").allowed()' },
        ],
      },
      1,
    ],
  ];
  it.each(rows)('%s', async (_name, changes, calls) => {
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook(changes));
    await bench.server.create(configMap('one', { key: 'value' }, { color: 'red' }));
    expect(bench.webhook.calls).toHaveLength(calls);
  });

  it('matches objectSelector and namespaceSelector with the old or the new object, and with oldObject on deletion', async () => {
    const old = await bench.server.create(configMap('one', {}, { color: 'red' }));
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook({ objectSelector: { matchLabels: { color: 'red' } } }));
    const changed = await bench.server.update({ ...old, metadata: { ...old.metadata, labels: {} } });
    expect(bench.webhook.calls).toHaveLength(1);
    await bench.server.update({ ...changed, data: { a: 'b' } });
    expect(bench.webhook.calls).toHaveLength(1);
    await bench.server.create(configMap('two', {}, { color: 'red' }));
    await bench.server.delete(configMap('two'));
    expect(bench.requests().map((request) => request['operation'])).toEqual(['UPDATE', 'CREATE', 'DELETE']);
  });

  it('matches namespaces by their own labels, and other cluster-scoped objects always', async () => {
    bench.webhook.answer((call) => respond(call, {}));
    const rules = [
      { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] },
      { operations: ['*'], apiGroups: ['storage.k8s.io'], apiVersions: ['v1'], resources: ['storageclasses'] },
    ];
    await bench.configure(
      'Validating',
      'a',
      bench.hook({ rules, objectSelector: {}, namespaceSelector: { matchLabels: { watched: 'yes' } } }),
    );
    const namespace = (name: string, labels: object): object => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });
    await bench.server.create(namespace('watched', { watched: 'yes' }));
    await bench.server.create(namespace('unwatched', {}));
    const storageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'example.com/x',
    };
    await bench.server.create(storageClass);
    expect(bench.requests().map(({ name, namespace: place }) => [name, place])).toEqual([
      ['watched', 'watched'],
      ['fast', undefined],
    ]);
    await bench.server.delete(storageClass);
  });
});

describe('the response of a webhook', () => {
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
      'without a status',
      {},
      { code: 400, reason: '', message: 'admission webhook "hook.example.com" denied the request without explanation' },
    ],
    [
      'with a success code',
      { status: { code: 200, status: 'Success' } },
      { code: 400, reason: '', message: 'admission webhook "hook.example.com" denied the request without explanation' },
    ],
  ];
  it.each(denials)('denies %s', async (_name, response, expected) => {
    bench.webhook.answer((call) => respond(call, { allowed: false, ...response }));
    await bench.configure('Validating', 'a', bench.hook());
    expect(await refusalOf(bench.server.create(configMap('one')))).toEqual(expected);
  });

  it('keeps only valid fields of the details of a denial', async () => {
    const details = { name: 5, kind: 'x', causes: [{ message: 'why', field: 7 }, 'odd'], retryAfterSeconds: '1\r\n' };
    bench.webhook.answer((call) => respond(call, { allowed: false, status: { code: 403, details } }));
    await bench.configure('Validating', 'a', bench.hook());
    const error = (await bench.server.create(configMap('one')).catch((thrown: unknown) => thrown)) as StatusError;
    expect(error.details).toEqual({ kind: 'x', causes: [{ message: 'why' }, {}] });
  });

  it('returns warnings to the client', async () => {
    bench.webhook.answer((call) => respond(call, { warnings: ['careful', 7, 'really'] }));
    await bench.configure('Validating', 'a', bench.hook());
    await bench.server.create(configMap('one'));
    expect(bench.server.warnings).toEqual(['careful', 'really']);
  });

  it('applies defaulting, pruning and validation again to the results of JSON patches', async () => {
    await bench.configure('Mutating', 'a', bench.hook());
    bench.webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/unknown', value: 1 }])));
    expect(await bench.server.create(configMap('pruned'))).not.toHaveProperty('unknown');
    bench.webhook.answer((call) =>
      respond(call, patch([{ op: 'add', path: '/metadata/labels', value: { 'bad key': 'x' } }])),
    );
    expect(await refusalOf(bench.server.create(configMap('invalid')))).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('calls mutating webhooks in configuration order, each with the changes of the previous ones', async () => {
    const seen: [string, unknown][] = [];
    bench.webhook.answer((call) => {
      const { object } = (call.body as unknown as Review).request as unknown as { object: KubeObject };
      seen.push([call.path.split('?')[0] ?? '', object['data']]);
      return respond(call, patch([{ op: 'add', path: `/data${call.path.split('?')[0] ?? ''}`, value: 'x' }]));
    });
    await bench.configure('Mutating', 'b', bench.hook({ name: 'three.example.com' }, '/three'));
    await bench.configure('Mutating', 'a', bench.hook({}, '/one'), bench.hook({ name: 'two.example.com' }, '/two'));
    const created = await bench.server.create(configMap('one', { zero: 'x' }));
    expect(seen).toEqual([
      ['/one', { zero: 'x' }],
      ['/two', { zero: 'x', one: 'x' }],
      ['/three', { zero: 'x', one: 'x', two: 'x' }],
    ]);
    expect(created['data']).toEqual({ zero: 'x', one: 'x', two: 'x', three: 'x' });
  });

  it('reinvokes only webhooks with reinvocationPolicy IfNeeded whose object changed afterwards', async () => {
    bench.webhook.answer((call) => {
      const path = call.path.split('?')[0] ?? '';
      return respond(call, path === '/last' ? patch([{ op: 'add', path: '/data/last', value: 'x' }]) : {});
    });
    await bench.configure(
      'Mutating',
      'a',
      bench.hook({ reinvocationPolicy: 'IfNeeded' }, '/again'),
      bench.hook({ name: 'never.example.com' }, '/never'),
      bench.hook({ name: 'last.example.com', reinvocationPolicy: 'IfNeeded' }, '/last'),
    );
    await bench.server.create(configMap('one', { first: 'x' }));
    expect(bench.webhook.calls.map((call) => call.path.split('?')[0])).toEqual(['/again', '/never', '/last', '/again']);
  });

  it('calls validating webhooks in parallel', async () => {
    let waiting = 0;
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    bench.webhook.answer(async (call) => {
      waiting += 1;
      if (waiting === 2) open();
      await both;
      return respond(call, {});
    });
    await bench.configure('Validating', 'a', bench.hook({}, '/one'), bench.hook({ name: 'two.example.com' }, '/two'));
    await bench.server.create(configMap('one'));
    expect(bench.webhook.calls).toHaveLength(2);
  });

  it('rejects a patch on deletion', async () => {
    await bench.server.create(configMap('one'));
    bench.webhook.answer((call) => respond(call, patch([{ op: 'add', path: '/data', value: {} }])));
    await bench.configure('Mutating', 'a', bench.hook());
    expect(await refusalOf(bench.server.delete(configMap('one')))).toEqual({
      code: 500,
      reason: 'InternalError',
      message:
        'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
    });
  });
});

describe('dry run with webhooks', () => {
  it.each([
    ['None', undefined],
    ['NoneOnDryRun', undefined],
  ])('calls webhooks with side effects %s', async (sideEffects, expected) => {
    bench.webhook.answer((call) => respond(call, {}));
    await bench.configure('Validating', 'a', bench.hook({ sideEffects }));
    expect(await refusalOf(bench.server.create(configMap('one'), { dryRun: true }))).toEqual(expected);
    expect(bench.requests()[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  it('rejects a dry run that matches a webhook with side effects', async () => {
    await bench.configure('Validating', 'a', bench.hook());
    const resource = 'admissionregistration.k8s.io/validatingwebhookconfigurations';
    const key = { resource, namespace: '', name: 'a' };
    // The API no longer accepts webhooks with side effects, but they may exist in storage: write one directly to the store.
    const stored = bench.server.store.get(key);
    const object = structuredClone(stored?.object) as KubeObject;
    for (const hook of object['webhooks'] as Record<string, unknown>[]) hook['sideEffects'] = 'Some';
    await bench.server.store.commit({ key, expected: stored?.revision ?? 0, object });
    expect(await refusalOf(bench.server.create(configMap('one'), { dryRun: true }))).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: 'admission webhook "hook.example.com" does not support dry run',
    });
  });

  it('dryRun create with generateName returns a generated name, and must not reserve quota or names', async () => {
    const { name: _name, ...metadata } = configMap('x').metadata;
    const object = { ...configMap('x'), metadata: { ...metadata, generateName: 'gen-' } };
    const created = await bench.server.create(object, { dryRun: true });
    expect(created.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
    expect((await bench.server.list(configMap(''))).filter(isOfTest)).toHaveLength(0);
  });
});
