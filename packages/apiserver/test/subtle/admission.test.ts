import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedCall, TestWebhook } from '../../src/http/webhooks/test-support.js';
import { Harness, type Json } from './harness.js';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const boxes = (version: string): string => `/apis/example.com/${version}/namespaces/default/boxes`;

let harness: Harness;
let webhook: TestWebhook;
const reviews: Json[] = [];
let response: (request: Json) => Json = () => ({});

function answer(call: ReceivedCall): object {
  const { request } = call.body as { request: Json };
  if (call.path.startsWith('/convert')) {
    const convertedObjects = (request['objects'] as Json[]).map((object) =>
      converted(object, request['desiredAPIVersion'] as string),
    );
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: { uid: request['uid'], result: { status: 'Success' }, convertedObjects },
    };
  }
  reviews.push(request);
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request['uid'], allowed: true, ...response(request) },
  };
}

/** Converts between the older version, which has `size`, and the newer one, which has `width`. */
function converted(object: Json, apiVersion: string): Json {
  const value = object['spec'].size ?? object['spec'].width;
  return { ...object, apiVersion, spec: apiVersion.endsWith('v1beta1') ? { size: value } : { width: value } };
}

function patch(...operations: object[]): Json {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

async function configure(kind: string, changes: object): Promise<void> {
  reviews.length = 0;
  const created = await harness.post(`${registration}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'hook.example.com',
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        clientConfig: { url: webhook.url('/admit'), caBundle: webhook.caBundle },
        objectSelector: { matchLabels: { test: 'yes' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...changes,
      },
    ],
  });
  expect(created.code).toBe(201);
}

function box(version: string, name: string, spec: object): object {
  return { apiVersion: `example.com/${version}`, kind: 'Box', metadata: { name }, spec };
}

function version(name: string, field: string, storage: boolean): object {
  const spec = { type: 'object', properties: { [field]: { type: 'integer' } } };
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
}

async function defineBoxes(): Promise<void> {
  await harness.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box' },
      versions: [version('v1beta1', 'size', false), version('v1beta2', 'width', true)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: webhook.url('/convert'), caBundle: webhook.caBundle },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  });
  const { registry } = harness.server;
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (registry.endpoint('example.com', 'v1beta2', 'boxes') === undefined) return;
      void listening.dispose();
      resolve();
    };
    const listening = registry.onChange(check);
    check();
  });
}

beforeAll(async () => {
  webhook = await TestWebhook.start();
  webhook.answer(answer);
  harness = await Harness.start();
  await defineBoxes();
});
afterEach(async () => {
  response = () => ({});
  for (const kind of ['mutating', 'validating'])
    await harness.call('DELETE', `${registration}/${kind}webhookconfigurations/hooks`);
});
afterAll(async () => {
  await harness.stop();
  await webhook.close();
});

const boxRules = (apiVersion: string): object => ({
  objectSelector: {},
  rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: [apiVersion], resources: ['boxes'] }],
});

describe('admission', () => {
  it('Conversion must be applied to `oldObject` and `object` in admission, and to lists [46]', async () => {
    const created = await harness.post(boxes('v1beta2'), box('v1beta2', 'converted', { width: 1 }));
    await configure('Validating', boxRules('v1beta1'));
    await harness.put(`${boxes('v1beta2')}/converted`, { ...created.body, spec: { width: 2 } });
    expect(reviews[0]).toMatchObject({
      object: { apiVersion: 'example.com/v1beta1', spec: { size: 2 } },
      oldObject: { apiVersion: 'example.com/v1beta1', spec: { size: 1 } },
    });
    const list = await harness.get(boxes('v1beta1'));
    expect(list.body['items'].map((item: Json) => item['spec'])).toEqual([{ size: 2 }]);
  });

  it('a webhook registered for v1beta2 gets v1beta1 requests converted to v1beta2, and its patch is converted back [47]', async () => {
    response = () => patch({ op: 'replace', path: '/spec/width', value: 42 });
    await configure('Mutating', boxRules('v1beta2'));
    const created = await harness.post(boxes('v1beta1'), box('v1beta1', 'patched', { size: 1 }));
    expect(reviews[0]).toMatchObject({ kind: { version: 'v1beta2' }, requestKind: { version: 'v1beta1' } });
    expect(created.body).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { size: 42 } });
  });

  it('objectSelector/namespaceSelector evaluate on old or new; deletion uses oldObject [48]', async () => {
    const metadata = { name: 'labelled', labels: { test: 'yes' } };
    const { body } = await harness.post(configMaps, { metadata });
    await configure('Validating', {});
    await harness.put(`${configMaps}/labelled`, { ...body, metadata: { ...body['metadata'], labels: {} } });
    await harness.call('DELETE', `${configMaps}/labelled`);
    await harness.post(configMaps, { metadata });
    await harness.call('DELETE', `${configMaps}/labelled`);
    expect(reviews.map((request) => request['operation'])).toEqual(['UPDATE', 'CREATE', 'DELETE']);
  });

  it('Webhook JSONPatch results go through defaulting, pruning and validation again [49]', async () => {
    response = () => patch({ op: 'add', path: '/spec/unknown', value: 1 });
    await configure('Mutating', boxRules('v1beta2'));
    const pruned = await harness.post(boxes('v1beta2'), box('v1beta2', 'pruned', { width: 1 }));
    expect(pruned.body['spec']).toEqual({ width: 1 });
    response = () => patch({ op: 'replace', path: '/spec/width', value: 'wide' });
    const invalid = await harness.post(boxes('v1beta2'), box('v1beta2', 'invalid', { width: 1 }));
    expect([invalid.code, invalid.body['reason']]).toEqual([422, 'Invalid']);
  });

  it('Admission `userInfo` is that of the impersonated user [50]', async () => {
    await configure('Validating', {});
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': ['system:masters', 'staff'] };
    await harness.post(configMaps, { metadata: { name: 'by-jane', labels: { test: 'yes' } } }, { headers });
    expect(reviews[0]?.['userInfo']).toMatchObject({
      username: 'jane',
      groups: expect.arrayContaining(['staff']) as unknown,
    });
  });

  it('dryRun create with generateName returns a generated name and sets dryRun in webhook requests [51]', async () => {
    await configure('Validating', {});
    const body = { metadata: { generateName: 'dry-', labels: { test: 'yes' } } };
    const dry = await harness.post(`${configMaps}?dryRun=All`, body);
    expect(dry.body['metadata'].name).toMatch(/^dry-[a-z0-9]{5}$/);
    expect(reviews[0]).toMatchObject({ dryRun: true });
  });

  it('Warnings are deduplicated and each ≤ 256 runes after total > 4 KiB truncated [53]', async () => {
    response = () => ({
      warnings: ['careful', 'careful', ...Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(300, 'x'))],
    });
    await configure('Validating', {});
    const { warnings } = await harness.post(configMaps, { metadata: { name: 'warned', labels: { test: 'yes' } } });
    expect(warnings.filter((text) => text.includes('careful'))).toHaveLength(1);
    expect(Math.max(...warnings.map((text) => text.replace(/^299 - "|"$/g, '').length))).toBe(256);
  });
});
