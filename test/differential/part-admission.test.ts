import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { RecordingWebhook } from '../support/recording-webhook.js';
import { type ServerPair, type ServerUnderTest, startServerPair } from '../support/server-under-test.js';
import { Normaliser } from './normalise.js';
import { runScript } from './run-script.js';
import { get, namespace, patch, post, put, type Script } from './script.js';
import { differences, isRecord, Pairing } from './values.js';

// Webhooks for scale, binding and eviction receive the object of the subresource instead of the parent object.
const resources = ['deployments/scale', 'widgets/scale', 'pods/eviction', 'pods/binding'];

interface Seen {
  readonly outcomes: readonly unknown[];
  readonly reviews: readonly unknown[];
}

const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources, operations: ['*'] }];
const hook = (name: string, clientConfig: unknown) => ({
  name: `${name}.example.com`,
  clientConfig,
  rules,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'parts' } },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.parts.example.com' },
  spec: {
    group: 'parts.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};

const container = { name: 'web', image: 'web:1' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { of: 'parts' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
};
const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container] },
});
const scale = (name: string, replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'parts' },
  spec: { replicas },
});

const core = '/api/v1/namespaces/parts';
const deployments = '/apis/apps/v1/namespaces/parts/deployments';
const widgets = '/apis/parts.example.com/v1/namespaces/parts/widgets';

function preparation(webhook: RecordingWebhook): Script {
  const registration = '/apis/admissionregistration.k8s.io/v1';
  return {
    name: 'preparation',
    steps: [
      ...namespace('parts'),
      post('definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
      { name: 'widgets are served', until: widgets, status: 200 },
      post('a deployment', deployments, deployment),
      post('a widget', widgets, {
        apiVersion: 'parts.example.com/v1',
        kind: 'Widget',
        metadata: { name: 'w' },
        spec: { replicas: 1 },
      }),
      post('a pod', `${core}/pods`, pod('one')),
      post('another pod', `${core}/pods`, pod('two')),
      post(
        'mutating',
        `${registration}/mutatingwebhookconfigurations`,
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata: { name: 'parts' },
          webhooks: [hook('mutate', webhook.clientConfig('/mutate'))],
        },
        { only: 'metadata.name' },
      ),
      post(
        'validating',
        `${registration}/validatingwebhookconfigurations`,
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'parts' },
          webhooks: [hook('validate', webhook.clientConfig('/validate'))],
        },
        { only: 'metadata.name' },
      ),
    ],
  };
}

const parts: Script = {
  name: 'parts',
  steps: [
    put('scale', `${deployments}/web/scale`, scale('web', 3)),
    get(`${deployments}/web`),
    patch('merge', 'patch a scale', `${deployments}/web/scale`, { spec: { replicas: 4 } }),
    put('dry scale', `${deployments}/web/scale?dryRun=All`, scale('web', 5)),
    put('scale beyond what the webhook allows', `${deployments}/web/scale`, scale('web', 100)),
    get(`${deployments}/web/scale`),
    put('scale a widget', `${widgets}/w/scale`, scale('w', 3)),
    patch('merge', 'patch the scale of a widget', `${widgets}/w/scale`, { spec: { replicas: 100 } }),
    get(`${widgets}/w`),
    post('bind', `${core}/pods/two/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'two' },
      target: { kind: 'Node', name: 'n' },
    }),
    post('evict', `${core}/pods/one/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'one', namespace: 'parts' },
    }),
  ],
};

/** Sends requests and returns what the webhooks received. The mutating webhook limits replicas to fifty. */
async function observe(server: ServerUnderTest): Promise<Seen> {
  const webhook = await RecordingWebhook.start(({ path, request }) => {
    const { object } = request;
    if (path !== '/mutate' || !isRecord(object) || object['kind'] !== 'Scale' || !isRecord(object['spec']))
      return undefined;
    return Number(object['spec']['replicas']) > 50 ? [{ op: 'replace', path: '/spec/replicas', value: 50 }] : undefined;
  });
  try {
    await runScript(preparation(webhook), server);
    await inUse(webhook, server);
    const outcomes = await runScript(parts, server);
    const normaliser = new Normaliser(server.port);
    const reviews = webhook.reviews.map(({ path, request }) => {
      // Drop users, which differ between the servers.
      const { uid: _uid, userInfo: _userInfo, object, oldObject, ...rest } = request;
      const shown = { object: withoutManagers(object), oldObject: withoutManagers(oldObject) };
      return normaliser.body({ path, ...rest, ...shown });
    });
    return { outcomes, reviews };
  } finally {
    await webhook.stop();
  }
}

/**
 * Waits until both webhooks are called. kube-apiserver starts to call a new webhook after a delay, separately for built-in kinds
 * and custom resources, so both are probed.
 */
async function inUse(webhook: RecordingWebhook, server: ServerUnderTest): Promise<void> {
  const client = new HttpsClient(server);
  const deadline = Date.now() + 120_000;
  for (const { path, name } of [
    { path: `${deployments}/web/scale`, name: 'web' },
    { path: `${widgets}/w/scale`, name: 'w' },
  ]) {
    webhook.reviews.length = 0;
    while (new Set(webhook.reviews.map((review) => review.path)).size < 2) {
      if (Date.now() > deadline) throw new Error(`the webhooks are not called for ${path} after 120 s`);
      await client.call({
        method: 'PUT',
        path: `${path}?dryRun=All`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(scale(name, 2)),
      });
    }
  }
  client.close();
  webhook.reviews.length = 0;
}

function withoutManagers(object: unknown): unknown {
  if (!isRecord(object) || !isRecord(object['metadata'])) return object;
  const { managedFields: _managedFields, ...metadata } = object['metadata'];
  return { ...object, metadata };
}

let pair: ServerPair;
let theirs: Seen;
let ours: Seen;
beforeAll(async () => {
  pair = await startServerPair();
  [theirs, ours] = await Promise.all([observe(pair.theirs), observe(pair.ours)]);
});
afterAll(async () => {
  await pair?.stop();
});

describe('admission of subresources', () => {
  it('calls webhooks with the same requests', () => {
    expect(differences(theirs.reviews, ours.reviews, new Pairing())).toEqual([]);
  });

  it('returns the same responses', () => {
    expect(differences(theirs.outcomes, ours.outcomes, new Pairing())).toEqual([]);
  });
});
