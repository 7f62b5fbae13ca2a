import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { RecordingWebhook } from '../support/recording-webhook.js';
import { type ServerPair, type ServerUnderTest, startServerPair } from '../support/server-under-test.js';

// Creates the same FlowSchemas and PriorityLevelConfigurations on kube-apiserver and on Slipway, and compares which of them
// requests are assigned to, and which requests are rejected when a level has no free seat.
const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const json = { 'content-type': 'application/json' };
const webhookDelayMs = 2_000;

const anyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };

function level(name: string, spec: object): { path: string; object: object } {
  const object = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'PriorityLevelConfiguration' };
  return { path: `${group}/prioritylevelconfigurations`, object: { ...object, metadata: { name }, spec } };
}

function schema(
  name: string,
  levelName: string,
  matchingPrecedence: number,
  rule: object,
): { path: string; object: object } {
  const object = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema' };
  const spec = {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence,
    distinguisherMethod: { type: 'ByUser' },
    rules: [rule],
  };
  return { path: `${group}/flowschemas`, object: { ...object, metadata: { name }, spec } };
}

const user = (name: string): object => ({ kind: 'User', user: { name } });
const inGroup = (name: string): object => ({ kind: 'Group', group: { name } });
const narrow = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0 };

const objects = [
  level('rejecting', { type: 'Limited', limited: { ...narrow, limitResponse: { type: 'Reject' } } }),
  level('queueing', {
    type: 'Limited',
    limited: {
      ...narrow,
      limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 } },
    },
  }),
  level('wide', { type: 'Limited', limited: { nominalConcurrencyShares: 100, limitResponse: { type: 'Reject' } } }),
  schema('jane', 'rejecting', 700, { subjects: [user('jane')], resourceRules: [anyResource] }),
  schema('jane-secrets', 'queueing', 600, {
    subjects: [user('jane')],
    resourceRules: [{ ...anyResource, resources: ['secrets'], namespaces: ['default'] }],
  }),
  schema('team', 'queueing', 700, { subjects: [inGroup('team')], resourceRules: [anyResource] }),
  schema('a-team', 'wide', 700, {
    subjects: [inGroup('team')],
    resourceRules: [{ ...anyResource, verbs: ['list'] }],
  }),
  schema('accounts', 'wide', 8_000, {
    subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'default', name: '*' } }],
    resourceRules: [{ ...anyResource, clusterScope: false }],
  }),
  schema('late', 'wide', 9_950, { subjects: [user('*')], resourceRules: [anyResource] }),
  schema('paths', 'wide', 650, {
    subjects: [user('jane')],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version', '/openapi/*'] }],
  }),
  schema('dangling', 'missing', 10, { subjects: [user('jane')], resourceRules: [anyResource] }),
];

/** Requests with an impersonated user: the user, its groups and the path. */
const requests: readonly (readonly [user: string, groups: readonly string[], path: string])[] = [
  ['jane', [], '/api/v1/namespaces/default/configmaps'],
  ['jane', [], '/api/v1/namespaces/default/secrets'],
  ['jane', [], '/api/v1/namespaces/kube-system/secrets'],
  ['jane', [], '/api/v1/nodes'],
  ['jane', [], '/version'],
  ['jane', [], '/openapi/v3'],
  ['jane', ['team'], '/api/v1/namespaces/default/configmaps'],
  ['joe', ['team'], '/api/v1/namespaces/default/configmaps'],
  ['joe', ['team'], '/api/v1/namespaces/default'],
  ['joe', ['other'], '/api/v1/namespaces/default/configmaps'],
  ['system:serviceaccount:default:builder', ['system:serviceaccounts'], '/api/v1/namespaces/default/pods'],
  ['system:serviceaccount:default:builder', ['system:serviceaccounts'], '/api/v1/nodes'],
  ['system:serviceaccount:other:builder', ['system:serviceaccounts'], '/api/v1/namespaces/default/pods'],
  ['system:node:worker', ['system:nodes'], '/api/v1/nodes'],
];

let pair: ServerPair;
let webhook: RecordingWebhook;

beforeAll(async () => {
  webhook = await RecordingWebhook.start(() => undefined, webhookDelayMs);
  pair = await startServerPair();
  await Promise.all([prepare(pair.theirs), prepare(pair.ours)]);
});
afterAll(async () => {
  await pair?.stop();
  await webhook?.stop();
});

async function post(client: HttpsClient, path: string, object: object): Promise<void> {
  const { status, text } = await client.call({ method: 'POST', path, headers: json, body: JSON.stringify(object) });
  expect(status, `${path}: ${text}`).toBe(201);
}

/** Grants all permissions to all users, so that every request reaches its handler, and waits until the objects have an effect. */
async function prepare(server: ServerUnderTest): Promise<void> {
  const client = new HttpsClient(server);
  const rbac = 'rbac.authorization.k8s.io';
  const subjects = [{ apiGroup: rbac, kind: 'Group', name: 'system:authenticated' }];
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' };
  await post(client, `/apis/${rbac}/v1/clusterrolebindings`, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'all' },
    subjects,
    roleRef,
  });
  for (const { path, object } of objects) await post(client, path, object);
  await post(client, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'slow' },
    webhooks: [
      {
        name: 'slow.example.com',
        clientConfig: webhook.clientConfig('/slow'),
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'], operations: ['CREATE'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  const [first = ['', [], '']] = requests;
  await vi.waitFor(async () => expect(await assignmentOf(client, first)).toBe('jane → rejecting'), 30_000);
  client.close();
}

function impersonating(name: string, groups: readonly string[]): Record<string, string | readonly string[]> {
  return { 'impersonate-user': name, 'impersonate-group': [...groups, 'system:authenticated'] };
}

async function nameOf(client: HttpsClient, resource: string, uid: unknown): Promise<string> {
  const { text } = await client.call({ method: 'GET', path: `${group}/${resource}` });
  const { items } = JSON.parse(text) as { items: { metadata: { name: string; uid: string } }[] };
  const name = items.find(({ metadata }) => metadata.uid === uid)?.metadata.name;
  // Slipway does not store the objects that kube-apiserver creates at its start.
  return name !== undefined &&
    objects.some(({ object }) => (object as { metadata: { name: string } }).metadata.name === name)
    ? name
    : 'default';
}

async function assignmentOf(
  client: HttpsClient,
  [name, groups, path]: readonly [string, readonly string[], string],
): Promise<string> {
  const { headers } = await client.call({ method: 'GET', path, headers: impersonating(name, groups) });
  const schemaName = await nameOf(client, 'flowschemas', headers['x-kubernetes-pf-flowschema-uid']);
  return `${schemaName} → ${await nameOf(client, 'prioritylevelconfigurations', headers['x-kubernetes-pf-prioritylevel-uid'])}`;
}

/** Creates objects at the same time as one user and counts the responses by status. */
async function statusesOf(server: ServerUnderTest, resource: string, kind: string): Promise<Record<string, number>> {
  const client = new HttpsClient(server);
  const counts: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { status, headers } = await client.call({
        method: 'POST',
        path: `/api/v1/namespaces/default/${resource}`,
        headers: { ...json, ...impersonating('jane', []) },
        body: JSON.stringify({ apiVersion: 'v1', kind, metadata: { generateName: 'held-' } }),
      });
      const outcome = `${status}, retry after ${headers['retry-after'] ?? 'none'}`;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }),
  );
  client.close();
  return counts;
}

describe('API Priority and Fairness', () => {
  it.each(requests)('assigns a request of %s in %j to %s as kube-apiserver does', async (...request) => {
    const [theirs, ours] = [new HttpsClient(pair.theirs), new HttpsClient(pair.ours)];
    expect(await assignmentOf(ours, request)).toBe(await assignmentOf(theirs, request));
    theirs.close();
    ours.close();
  });

  it('rejects the same number of requests when a level of type Reject has no free seat', async () => {
    const theirs = await statusesOf(pair.theirs, 'configmaps', 'ConfigMap');
    expect(await statusesOf(pair.ours, 'configmaps', 'ConfigMap')).toEqual(theirs);
    expect(theirs).toEqual({ '201, retry after none': 2, '429, retry after 1': 10 });
  });

  it('rejects the same number of requests when the queue of a flow is full', async () => {
    const theirs = await statusesOf(pair.theirs, 'secrets', 'Secret');
    expect(await statusesOf(pair.ours, 'secrets', 'Secret')).toEqual(theirs);
  });

  it.each(['dangling', 'jane'])('reports the condition Dangling of the FlowSchema %s', async (name) => {
    const conditionsOf = async (server: ServerUnderTest): Promise<unknown> => {
      const client = new HttpsClient(server);
      const { text } = await client.call({ method: 'GET', path: `${group}/flowschemas/${name}` });
      client.close();
      const { status } = JSON.parse(text) as { status?: { conditions?: { lastTransitionTime: string }[] } };
      return status?.conditions?.map((condition) => ({ ...condition, lastTransitionTime: '' }));
    };
    await expect.poll(() => conditionsOf(pair.theirs)).toHaveLength(1);
    await expect.poll(() => conditionsOf(pair.ours)).toEqual(await conditionsOf(pair.theirs));
  });
});
