import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { core, named, objects, pod, secretNames } from './node-objects.js';
import { type ServerUnderTest, startOurServer } from '../support/server-under-test.js';

// The same objects on kube-apiserver with the Node authorizer and NodeRestriction, as kubeadm configures it, and on Slipway. Both
// answer the same requests of the kubelet of node-a.
let theirServer: RealKubeApiserver;
let ours: ServerUnderTest;
let clients: readonly HttpsClient[] = [];

const json = { 'content-type': 'application/json' };
const asNode = { 'impersonate-user': 'system:node:node-a', 'impersonate-group': 'system:nodes' };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to both servers and returns their answers. */
async function both(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = asNode,
): Promise<Answer[]> {
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : json;
  return Promise.all(
    clients.map((client) =>
      client.call({
        method,
        path,
        headers: { ...type, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    ),
  );
}

beforeAll(async () => {
  theirServer = await startRealKubeApiserver({
    flags: {
      'authorization-mode': 'Node,RBAC',
      'enable-admission-plugins': 'NodeRestriction',
      // No controller creates service accounts on this server.
      'disable-admission-plugins': 'ServiceAccount',
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    },
  });
  ours = await startOurServer({ controllers: new Set() });
  const theirs: ServerUnderTest = {
    name: 'kube-apiserver',
    url: theirServer.url,
    port: theirServer.port,
    certificateAuthority: theirServer.certificateAuthority,
    clientCertificate: readFileSync(`${theirServer.folder}/client-admin.crt`, 'utf8'),
    clientKey: readFileSync(`${theirServer.folder}/client-admin.key`, 'utf8'),
    kubeconfigFile: theirServer.kubeconfigFile,
    stop: () => theirServer.stop(),
  };
  clients = [new HttpsClient(theirs), new HttpsClient(ours)];
  for (const [path, object] of objects) {
    const answers = await both('POST', path, object, {});
    for (const { status, text } of answers) if (status !== 201 && status !== 409) throw new Error(`${path}: ${text}`);
  }
  // kube-apiserver's graph of objects follows the writes.
  await vi.waitUntil(async () => (await both('GET', `${core}/secrets/staged`))[0]?.status === 200, { timeout: 30_000 });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await ours?.stop();
  await theirServer?.stop();
});

/** Reduces an answer to what must be equal: the status and, for errors, reason and message. */
function decisionOf({ status, text }: Answer): object {
  if (status < 400) return { status };
  const { reason, message } = JSON.parse(text) as { reason?: string; message?: string };
  // kube-apiserver adds a diff of Go structs, and in another message a list of all fields.
  return { status, reason, message: message?.replace(/(status\.conditions): [^]*$/, '$1') };
}

const nodePath = (name: string): string => `/api/v1/nodes/${name}`;
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const csiNodes = '/apis/storage.k8s.io/v1/csinodes';

const reads: readonly string[] = [
  ...[...secretNames, 'missing'].map((name) => `${core}/secrets/${name}`),
  ...['settings', 'projected', 'other'].map((name) => `${core}/configmaps/${name}`),
  `${core}/secrets`,
  `${core}/secrets?fieldSelector=metadata.name%3Dmounted`,
  `${core}/secrets?fieldSelector=metadata.name%3Dother`,
  '/api/v1/secrets',
  ...['data', 'other'].map((name) => `${core}/persistentvolumeclaims/${name}`),
  `${core}/persistentvolumeclaims`,
  ...['volume-a', 'volume-b'].map((name) => `/api/v1/persistentvolumes/${name}`),
  ...['builder', 'other'].map((name) => `${core}/serviceaccounts/${name}`),
  `${core}/serviceaccounts`,
  ...['node-a', 'node-b'].map(nodePath),
  '/api/v1/nodes',
  '/api/v1/nodes?fieldSelector=metadata.name%3Dnode-a',
  ...['on-a', 'on-b', 'missing'].map((name) => `${core}/pods/${name}`),
  `${core}/pods/on-a/log`,
  '/api/v1/pods',
  '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-a',
  '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-b',
  '/api/v1/pods?fieldSelector=spec.nodeName!%3Dnode-a',
  ...['node-a', 'node-b'].map((name) => `${leases}/${name}`),
  leases,
  '/apis/coordination.k8s.io/v1/namespaces/default/leases/node-a',
  ...['node-a', 'node-b'].map((name) => `/apis/storage.k8s.io/v1/volumeattachments/attached-${name}`),
  `${csiNodes}/node-b`,
  '/api/v1/services',
  `${core}/endpoints`,
  '/apis/node.k8s.io/v1/runtimeclasses',
  '/apis/storage.k8s.io/v1/csidrivers',
  '/apis/apps/v1/deployments',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/metrics',
];

describe('a kubelet', () => {
  it.each(reads)('gets the same answer for GET %s as from kube-apiserver', async (path) => {
    const [theirs, mine] = await both('GET', path);
    expect(mine && decisionOf(mine)).toEqual(theirs && decisionOf(theirs));
  });

  const mirror = (owner: object[], more: object = {}): object =>
    pod('mirror', 'node-a', more, { annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: owner });
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'node-a', uid: 'u', controller: true };
  const labelled = (labels: object): object => ({ metadata: { labels } });
  const token = (spec: object): object => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  const boundTo = (name: string, uid = 'u'): object => ({
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
  });

  const writes: readonly (readonly [name: string, method: string, path: string, body: object | undefined])[] = [
    ['create a pod that is not a mirror pod', 'POST', `${core}/pods`, pod('new', 'node-a')],
    [
      'create a mirror pod of another node',
      'POST',
      `${core}/pods`,
      pod('m', 'node-b', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    ],
    ['create a mirror pod without an owner', 'POST', `${core}/pods`, mirror([])],
    [
      'create a mirror pod with two owners',
      'POST',
      `${core}/pods`,
      mirror([owner, { ...owner, name: 'node-b', controller: false, uid: 'v' }]),
    ],
    ['create a mirror pod of another owner', 'POST', `${core}/pods`, mirror([{ ...owner, name: 'node-b' }])],
    ['create a mirror pod without a controller', 'POST', `${core}/pods`, mirror([{ ...owner, controller: false }])],
    [
      'create a mirror pod that blocks its owner',
      'POST',
      `${core}/pods`,
      mirror([{ ...owner, blockOwnerDeletion: true }]),
    ],
    ['delete a pod of another node', 'DELETE', `${core}/pods/on-b`, undefined],
    ['delete a pod that does not exist', 'DELETE', `${core}/pods/missing`, undefined],
    ['update a pod', 'PATCH', `${core}/pods/on-a`, labelled({ a: 'c' })],
    ['update the status of its pod', 'PATCH', `${core}/pods/on-a/status`, { status: { reason: 'Running' } }],
    ['change a label by the status of its pod', 'PATCH', `${core}/pods/on-a/status`, labelled({ a: 'c' })],
    ['update the status of a pod of another node', 'PATCH', `${core}/pods/on-b/status`, { status: { reason: 'x' } }],
    ['evict a pod of another node', 'POST', `${core}/pods/on-b/eviction`, named('policy/v1', 'Eviction', 'on-b')],
    [
      'evict a pod that does not exist',
      'POST',
      `${core}/pods/missing/eviction`,
      named('policy/v1', 'Eviction', 'missing'),
    ],
    ['bind a pod', 'POST', `${core}/pods/on-a/binding`, named('v1', 'Binding', 'on-a', { target: { name: 'node-a' } })],
    ['create another Node', 'POST', '/api/v1/nodes', named('v1', 'Node', 'node-c')],
    ['change another Node', 'PATCH', nodePath('node-b'), labelled({ a: 'b' })],
    ['delete its Node', 'DELETE', nodePath('node-a'), undefined],
    ['set an own label', 'PATCH', nodePath('node-a'), labelled({ 'example.com/rack': '1' })],
    ['set a label of the kubelet', 'PATCH', nodePath('node-a'), labelled({ 'topology.kubernetes.io/zone': 'z' })],
    ['set a label below node.kubernetes.io', 'PATCH', nodePath('node-a'), labelled({ 'x.node.kubernetes.io/a': 'z' })],
    ['set a restricted label', 'PATCH', nodePath('node-a'), labelled({ 'node-restriction.kubernetes.io/a': 'b' })],
    [
      'set two labels of Kubernetes',
      'PATCH',
      nodePath('node-a'),
      labelled({ 'node-role.kubernetes.io/b': '', 'a.k8s.io/a': '' }),
    ],
    ['change its taints', 'PATCH', nodePath('node-a'), { spec: { taints: [] } }],
    ['add a taint', 'PATCH', nodePath('node-a'), { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
    [
      'change its owner',
      'PATCH',
      nodePath('node-a'),
      { metadata: { ownerReferences: [{ ...owner, name: 'node-b' }] } },
    ],
    ['update the status of its Node', 'PATCH', `${nodePath('node-a')}/status`, { status: { phase: 'Running' } }],
    ['update the status of another Node', 'PATCH', `${nodePath('node-b')}/status`, { status: { phase: 'Running' } }],
    ['renew its lease', 'PATCH', `${leases}/node-a`, { spec: { holderIdentity: 'node-a' } }],
    ['take the lease of another node', 'PATCH', `${leases}/node-b`, { spec: { holderIdentity: 'node-a' } }],
    ['create a lease of another name', 'POST', leases, named('coordination.k8s.io/v1', 'Lease', 'node-c')],
    [
      'create a lease in another namespace',
      'POST',
      leases.replace('kube-node-lease', 'default'),
      named('coordination.k8s.io/v1', 'Lease', 'node-a'),
    ],
    [
      'create the CSINode of another node',
      'POST',
      csiNodes,
      named('storage.k8s.io/v1', 'CSINode', 'node-b', { spec: { drivers: [] } }),
    ],
    [
      'create its CSINode',
      'POST',
      csiNodes,
      named('storage.k8s.io/v1', 'CSINode', 'node-a', { spec: { drivers: [] } }),
    ],
    ['change its CSINode', 'PATCH', `${csiNodes}/node-a`, labelled({ a: 'b' })],
    [
      'resize the claim of its pod',
      'PATCH',
      `${core}/persistentvolumeclaims/data/status`,
      { status: { capacity: { storage: '2Gi' } } },
    ],
    [
      'change the phase of the claim of its pod',
      'PATCH',
      `${core}/persistentvolumeclaims/data/status`,
      { status: { phase: 'Lost' } },
    ],
    [
      'resize another claim',
      'PATCH',
      `${core}/persistentvolumeclaims/other/status`,
      { status: { capacity: { storage: '2Gi' } } },
    ],
    ['change a claim', 'PATCH', `${core}/persistentvolumeclaims/data`, labelled({ a: 'b' })],
    ['change a Secret', 'PATCH', `${core}/secrets/mounted`, labelled({ a: 'b' })],
    ['request a token without a pod', 'POST', `${core}/serviceaccounts/builder/token`, token({})],
    ['request a token without a UID', 'POST', `${core}/serviceaccounts/builder/token`, token(boundTo('on-a', ''))],
    [
      'request a token for a pod that does not exist',
      'POST',
      `${core}/serviceaccounts/builder/token`,
      token(boundTo('missing')),
    ],
    ['request a token with another UID', 'POST', `${core}/serviceaccounts/builder/token`, token(boundTo('on-a'))],
    [
      'request a token of another service account',
      'POST',
      `${core}/serviceaccounts/other/token`,
      token(boundTo('on-a')),
    ],
    [
      'create a Deployment',
      'POST',
      '/apis/apps/v1/namespaces/default/deployments',
      named('apps/v1', 'Deployment', 'x'),
    ],
  ];

  it.each(writes)(
    'gets the same answer as from kube-apiserver if it wants to %s',
    async (_name, method, path, body?: object) => {
      const [theirs, mine] = await both(method, path, body);
      expect(mine && decisionOf(mine)).toEqual(theirs && decisionOf(theirs));
    },
  );

  it.each([
    ['an audience of the pod', ['vault'], 201],
    ['another audience', ['elsewhere'], 403],
    ['two audiences', ['vault', 'elsewhere'], 403],
  ])('gets the same answer to a token request for %s', async (_name, audiences, status) => {
    const answers: Answer[] = [];
    for (const client of clients) {
      const found = await client.call({ method: 'GET', path: `${core}/pods/on-a` });
      const { metadata } = JSON.parse(found.text) as { metadata: { uid: string } };
      const body = JSON.stringify(token({ audiences, ...boundTo('on-a', metadata.uid) }));
      const path = `${core}/serviceaccounts/builder/token`;
      answers.push(await client.call({ method: 'POST', path, headers: { ...json, ...asNode }, body }));
    }
    const [theirs, mine] = answers;
    expect(theirs?.status).toBe(status);
    expect(mine && decisionOf(mine)).toEqual(theirs && decisionOf(theirs));
  });

  it('creates, reports and deletes a mirror pod of its own', async () => {
    const statuses: number[][] = [];
    for (const client of clients) {
      const node = JSON.parse((await client.call({ method: 'GET', path: nodePath('node-a') })).text) as {
        metadata: { uid: string };
      };
      const create = async (more: object): Promise<number> => {
        const body = JSON.stringify(mirror([{ ...owner, uid: node.metadata.uid }], more));
        return (await client.call({ method: 'POST', path: `${core}/pods`, headers: { ...json, ...asNode }, body }))
          .status;
      };
      statuses.push([
        await create({ volumes: [{ name: 's', secret: { secretName: 'mirrored' } }] }),
        await create({ volumes: [{ name: 'h', hostPath: { path: '/etc' } }] }),
        (await client.call({ method: 'GET', path: `${core}/secrets/mirrored`, headers: asNode })).status,
        (await client.call({ method: 'DELETE', path: `${core}/pods/mirror`, headers: asNode })).status,
      ]);
    }
    expect(statuses[0]).toEqual([403, 201, 403, 200]);
    expect(statuses[1]).toEqual(statuses[0]);
  });

  it.each([
    ['a user of the group with another name', { 'impersonate-user': 'jane', 'impersonate-group': 'system:nodes' }],
    ['a node without a name', { 'impersonate-user': 'system:node:', 'impersonate-group': 'system:nodes' }],
    ['a node without a Node', { 'impersonate-user': 'system:node:gone', 'impersonate-group': 'system:nodes' }],
  ])('is not %s', async (_name, headers) => {
    for (const path of [nodePath('node-a'), `${core}/secrets/mounted`, '/api/v1/services']) {
      const [theirs, mine] = await both('GET', path, undefined, headers);
      expect(mine && decisionOf(mine)).toEqual(theirs && decisionOf(theirs));
    }
  });
});
