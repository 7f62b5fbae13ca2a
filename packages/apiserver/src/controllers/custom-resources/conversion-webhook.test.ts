import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { configMap, refusalOf, TestServer } from '../../admission/test-support.js';
import { type ReceivedCall, TestWebhook } from '../../http/webhooks/test-support.js';

const group = 'example.com';
let server: TestServer;
let webhook: TestWebhook;

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: KubeObject[] };
}

function reviewOf(call: ReceivedCall): Review['request'] {
  return (call.body as unknown as Review).request;
}

/** Converts between v1, which has `size`, and v2, which has `width`. */
function convertObject(object: KubeObject, apiVersion: string): KubeObject {
  const spec = object['spec'] as Record<string, unknown>;
  const value = spec['size'] ?? spec['width'];
  return { ...object, apiVersion, spec: apiVersion.endsWith('/v1') ? { size: value } : { width: value } };
}

function convertAll(call: ReceivedCall, changes: Record<string, unknown> = {}): object {
  const { uid, desiredAPIVersion, objects } = reviewOf(call);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid,
      result: { status: 'Success' },
      convertedObjects: objects.map((object) => convertObject(object, desiredAPIVersion)),
      ...changes,
    },
  };
}

function box(version: string, name: string, spec: object, metadata: object = {}): KubeObject {
  return {
    apiVersion: `${group}/${version}`,
    kind: 'Box',
    metadata: { name, namespace: 'default', ...metadata },
    spec,
  } as unknown as KubeObject;
}

function schema(field: string): object {
  return {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [field]: { type: 'integer' }, note: { type: 'string' } } } },
    },
  };
}

beforeAll(async () => {
  webhook = await TestWebhook.start();
  server = await TestServer.start();
  await server.create({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boxes.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box' },
      versions: [
        { name: 'v1', served: true, storage: false, schema: schema('size') },
        { name: 'v2', served: true, storage: true, schema: schema('width') },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: webhook.url('/convert'), caBundle: webhook.caBundle },
          conversionReviewVersions: ['v1', 'v1beta1'],
        },
      },
    },
  });
  await served();
});

/** Waits until the CRD is served. */
function served(): Promise<void> {
  const { registry } = server.server;
  return new Promise((resolve) => {
    const check = (): void => {
      if (registry.endpoint(group, 'v2', 'boxes') === undefined) return;
      void listening.dispose();
      resolve();
    };
    const listening = registry.onChange(check);
    check();
  });
}

beforeEach(async () => {
  for (const object of await server.list(box('v2', '', {}))) await server.remove(object);
});

afterAll(async () => {
  await server.stop();
  await webhook.close();
});

describe('a conversion webhook', () => {
  it('receives one review per list, without objects that are at the desired version', async () => {
    for (const name of ['a', 'b', 'c']) await server.create(box('v2', name, { width: 1 }));
    webhook.answer((call) => convertAll(call));
    const items = await server.list(box('v1', '', {}));
    expect(items.map((item) => [item.metadata.name, item.apiVersion, item['spec']])).toEqual([
      ['a', 'example.com/v1', { size: 1 }],
      ['b', 'example.com/v1', { size: 1 }],
      ['c', 'example.com/v1', { size: 1 }],
    ]);
    expect(webhook.calls).toHaveLength(1);
    expect(webhook.calls[0]?.body).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'example.com/v1', objects: [{}, {}, {}] },
    });
    webhook.answer((call) => convertAll(call));
    await server.list(box('v2', '', {}));
    expect(webhook.calls).toHaveLength(0);
  });

  it('converts writes at a version other than the storage version', async () => {
    webhook.answer((call) => convertAll(call));
    const created = await server.create(box('v1', 'a', { size: 7 }));
    expect(created['spec']).toEqual({ size: 7 });
    expect((await server.get(box('v2', 'a', {})))['spec']).toEqual({ width: 7 });
  });

  it('may change labels and annotations but no other metadata', async () => {
    await server.create(box('v2', 'a', { width: 1 }, { labels: { kept: 'x' }, finalizers: ['example.com/f'] }));
    webhook.answer((call) => {
      const [object] = reviewOf(call).objects.map((one) => convertObject(one, 'example.com/v1'));
      const metadata = {
        ...object?.metadata,
        labels: { new: 'y' },
        annotations: { a: 'b' },
        finalizers: [],
        generation: 99,
      };
      return convertAll(call, { convertedObjects: [{ ...object, metadata }] });
    });
    const { metadata } = await server.get(box('v1', 'a', {}));
    expect(metadata).toMatchObject({
      labels: { new: 'y' },
      annotations: { a: 'b' },
      finalizers: ['example.com/f'],
      generation: 1,
    });
    const stored = await server.get(box('v2', 'a', {}));
    await server.update({ ...stored, metadata: { ...stored.metadata, finalizers: [] } });
  });

  const kind = 'example.com/v2, Kind=Box';
  type Answer = (call: ReceivedCall) => object;
  const converted = (call: ReceivedCall, change: (object: KubeObject) => unknown): object =>
    convertAll(call, {
      convertedObjects: reviewOf(call).objects.map((one) => change(convertObject(one, 'example.com/v1'))),
    });
  const withMetadata =
    (metadata: object): Answer =>
    (call) =>
      converted(call, (one) => ({ ...one, metadata: { ...one.metadata, ...metadata } }));
  const failures: [string, Answer, string][] = [
    [
      'returns a failure with a message',
      (call) => convertAll(call, { result: { status: 'Failure', message: 'cannot' } }),
      `conversion webhook for ${kind} failed: cannot`,
    ],
    [
      'returns a failure without a message',
      (call) => convertAll(call, { result: {} }),
      `conversion webhook for ${kind} failed: response.result.status was '', not 'Success'`,
    ],
    [
      'returns no result',
      () => ({}),
      `conversion webhook for ${kind} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
    ],
    [
      'returns the uid of another request',
      (call) => convertAll(call, { uid: 'x' }),
      `conversion webhook for ${kind} failed: expected response.uid=`,
    ],
    [
      'returns fewer objects',
      (call) => convertAll(call, { convertedObjects: [] }),
      `conversion webhook for ${kind} returned 0 objects, expected 1`,
    ],
    [
      'converts to another version',
      (call) => converted(call, (one) => ({ ...one, apiVersion: 'example.com/v3' })),
      `conversion webhook for ${kind} returned invalid object at index 0: invalid groupVersion (expected example.com/v1, received example.com/v3)`,
    ],
    [
      'converts to another kind',
      (call) => converted(call, (one) => ({ ...one, kind: 'Crate' })),
      `conversion webhook for ${kind} returned invalid object at index 0: invalid kind (expected Box, received Crate)`,
    ],
    [
      'returns a number',
      (call) => converted(call, () => 5),
      `conversion webhook for ${kind} returned invalid object: not an object`,
    ],
    [
      'changes the name',
      withMetadata({ name: 'other' }),
      `conversion webhook for ${kind} returned invalid object: must have the same name: a != other`,
    ],
    [
      'changes the namespace',
      withMetadata({ namespace: 'other' }),
      `conversion webhook for ${kind} returned invalid object: must have the same namespace: default != other`,
    ],
    [
      'changes the uid',
      withMetadata({ uid: 'other' }),
      `conversion webhook for ${kind} returned invalid object: must have the same UID: `,
    ],
    [
      'removes the metadata',
      (call) => converted(call, ({ metadata: _metadata, ...one }) => one),
      `conversion webhook for ${kind} returned invalid metadata: missing metadata in converted object`,
    ],
    [
      'changes a label to a number',
      withMetadata({ labels: { a: 1 } }),
      `conversion webhook for ${kind} returned invalid metadata: metadata.labels[a] must be a string`,
    ],
    [
      'sets an invalid label',
      withMetadata({ labels: { 'a b': 'x' } }),
      `conversion webhook for ${kind} returned invalid metadata: metadata.labels: Invalid value: "a b"`,
    ],
  ];
  it.each(failures)('reports a webhook that %s', async (_name, answer, message) => {
    await server.create(box('v2', 'a', { width: 1 }));
    webhook.answer(answer);
    const refusal = await refusalOf(server.get(box('v1', 'a', {})));
    expect(refusal).toMatchObject({ code: 500, reason: '' });
    expect(refusal?.message.slice(0, message.length)).toBe(message);
  });
});

describe('admission webhooks and versions', () => {
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'boxes' },
  };

  async function configure(changes: object): Promise<void> {
    await server.remove(configuration);
    await server.create({
      ...configuration,
      webhooks: [
        {
          name: 'boxes.example.com',
          rules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: ['boxes'] }],
          clientConfig: { url: webhook.url('/mutate'), caBundle: webhook.caBundle },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          ...changes,
        },
      ],
    });
  }

  const reviews: Record<string, unknown>[] = [];
  function answerBoth(operations: readonly object[]): void {
    reviews.length = 0;
    webhook.answer((call) => {
      if (call.path.startsWith('/convert')) return convertAll(call);
      const { request } = call.body as unknown as { request: Record<string, unknown> };
      reviews.push(request);
      return {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: {
          uid: request['uid'],
          allowed: true,
          patchType: 'JSONPatch',
          patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
        },
      };
    });
  }

  it('converts v1beta1 requests for a webhook with matchPolicy Equivalent that is registered for v1beta2, and converts its patch back', async () => {
    answerBoth([{ op: 'replace', path: '/spec/size', value: 42 }]);
    await configure({});
    const created = await server.create(box('v2', 'a', { width: 1 }));
    expect(reviews[0]).toMatchObject({
      kind: { group, version: 'v1', kind: 'Box' },
      resource: { group, version: 'v1', resource: 'boxes' },
      requestKind: { group, version: 'v2', kind: 'Box' },
      requestResource: { group, version: 'v2', resource: 'boxes' },
      object: { apiVersion: 'example.com/v1', spec: { size: 1 } },
    });
    expect(created).toMatchObject({ apiVersion: 'example.com/v2', spec: { width: 42 } });
    await server.remove(configuration);
  });

  it('converts `oldObject` and `object` in admission, watch events and lists, per watcher version', async () => {
    const created = await server.create(box('v2', 'a', { width: 1 }));
    answerBoth([{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }]);
    await configure({});
    await server.update({ ...created, spec: { width: 2 } });
    expect(reviews[0]).toMatchObject({
      operation: 'UPDATE',
      object: { apiVersion: 'example.com/v1', spec: { size: 2 } },
      oldObject: { apiVersion: 'example.com/v1', spec: { size: 1 } },
    });
    await server.remove(configuration);
  });

  it('does not call a webhook for other versions if matchPolicy is Exact', async () => {
    answerBoth([]);
    await configure({ matchPolicy: 'Exact' });
    await server.create(box('v2', 'a', { width: 1 }));
    expect(reviews).toHaveLength(0);
    await server.create(box('v1', 'b', { size: 1 }));
    expect(reviews).toHaveLength(1);
    await server.remove(configuration);
  });

  it('does not call a webhook for other kinds', async () => {
    answerBoth([]);
    await configure({});
    await server.create(configMap('untouched'));
    expect(reviews).toHaveLength(0);
    await server.remove(configuration);
  });
});
