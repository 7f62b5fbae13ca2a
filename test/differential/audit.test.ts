import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { systemClock } from '@slipway/base';
import { AuditLogBackend, parseAuditPolicy } from '@slipway/apiserver';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { type ServerPair, type ServerUnderTest, startServerPair } from '../support/server-under-test.js';
import { Normaliser } from './normalise.js';
import { differences, Pairing } from './values.js';

// Sends the same requests to kube-apiserver and to Slipway under the same audit policy, and compares the audit events.
const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, users: ["system:kube-controller-manager"]}
- {level: None, nonResourceURLs: ["/readyz*"]}
- {level: Metadata, namespaces: [audited], resources: [{group: "", resources: [secrets]}], omitStages: [RequestReceived]}
- {level: RequestResponse, namespaces: [audited], omitManagedFields: true, resources: [{group: "", resources: [configmaps, "services/*", pods]}]}
- {level: Request, namespaces: [audited]}
- {level: Metadata, resources: [{group: "", resources: [namespaces], resourceNames: [audited]}]}
- {level: Metadata, nonResourceURLs: ["/version", "/nothing"]}
- {level: Request, resources: [{group: authorization.k8s.io}]}
- {level: None}
`;

interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: boolean;
}

const core = '/api/v1/namespaces/audited';
const json = { 'content-type': 'application/json' };
const configMap = (name: string, data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const calls: readonly Call[] = [
  { id: 'get-namespace', method: 'GET', path: core },
  { id: 'create', method: 'POST', path: `${core}/configmaps`, body: configMap('a', { color: 'red' }) },
  { id: 'create-again', method: 'POST', path: `${core}/configmaps`, body: configMap('a', { color: 'red' }) },
  { id: 'create-invalid', method: 'POST', path: `${core}/configmaps`, body: configMap('A!', {}) },
  { id: 'create-unreadable', method: 'POST', path: `${core}/configmaps`, body: 'not json' },
  {
    id: 'generate-name',
    method: 'POST',
    path: `${core}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } },
  },
  { id: 'get', method: 'GET', path: `${core}/configmaps/a` },
  { id: 'get-missing', method: 'GET', path: `${core}/configmaps/none` },
  { id: 'list-selected', method: 'GET', path: `${core}/configmaps?fieldSelector=metadata.name%3Da&limit=5` },
  {
    id: 'metadata-only',
    method: 'GET',
    path: `${core}/configmaps/a`,
    headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  },
  { id: 'update', method: 'PUT', path: `${core}/configmaps/a`, body: configMap('a', { color: 'blue' }) },
  {
    id: 'merge-patch',
    method: 'PATCH',
    path: `${core}/configmaps/a`,
    body: { data: { size: '1' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  },
  {
    id: 'json-patch',
    method: 'PATCH',
    path: `${core}/configmaps/a`,
    body: [{ op: 'remove', path: '/data/size' }],
    headers: { 'content-type': 'application/json-patch+json' },
  },
  {
    id: 'apply',
    method: 'PATCH',
    path: `${core}/configmaps/b?fieldManager=m`,
    body: configMap('b', { x: 'y' }),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  },
  {
    id: 'secret',
    method: 'POST',
    path: `${core}/secrets`,
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { key: 'plain-secret' } },
  },
  {
    id: 'service',
    method: 'POST',
    path: `${core}/services`,
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { clusterIP: 'None', ports: [{ port: 80 }] },
    },
  },
  { id: 'service-status', method: 'GET', path: `${core}/services/web/status` },
  {
    id: 'impersonated',
    method: 'GET',
    path: `${core}/configmaps/a`,
    headers: { 'impersonate-user': 'jane', 'impersonate-group': 'developers' },
  },
  { id: 'anonymous', method: 'GET', path: `${core}/configmaps/a`, anonymous: true },
  {
    id: 'bad-token',
    method: 'GET',
    path: `${core}/configmaps/a`,
    anonymous: true,
    headers: { authorization: 'Bearer wrong-token' },
  },
  {
    id: 'forwarded',
    method: 'GET',
    path: `${core}/configmaps/a`,
    headers: { 'x-forwarded-for': '192.0.2.1, 192.0.2.2', 'x-real-ip': '192.0.2.3' },
  },
  { id: 'version', method: 'GET', path: '/version' },
  { id: 'no-path', method: 'GET', path: '/nothing' },
  {
    id: 'review',
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
  },
  {
    id: 'delete',
    method: 'DELETE',
    path: `${core}/configmaps/b`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
  },
  { id: 'delete-secret', method: 'DELETE', path: `${core}/secrets/s` },
  { id: 'watch', method: 'GET', path: `${core}/configmaps?watch=true&timeoutSeconds=1&resourceVersion=0` },
];

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly [field: string]: unknown;
}

let folder: string;
let pair: ServerPair;
let theirs: Record<string, unknown>;
let ours: Record<string, unknown>;

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/audit-differential-`);
  writeFileSync(`${folder}/policy.yaml`, policy);
  const log = new AuditLogBackend({
    path: `${folder}/ours.log`,
    bytesMax: 0,
    daysMax: 0,
    filesMax: 0,
    clock: systemClock,
    onError: (error) => {
      throw error;
    },
  });
  pair = await startServerPair({
    theirFlags: { 'audit-policy-file': `${folder}/policy.yaml`, 'audit-log-path': `${folder}/theirs.log` },
    ourOptions: { audit: { policy: parseAuditPolicy(policy), backends: [log] } },
  });
  await Promise.all([runCalls(pair.theirs), runCalls(pair.ours)]);
  [theirs, ours] = await Promise.all([eventsOf('theirs'), eventsOf('ours')]);
});
afterAll(async () => {
  await pair?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function runCalls(server: ServerUnderTest): Promise<void> {
  const client = new HttpsClient(server);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'audited' } });
  await client.call({ method: 'POST', path: '/api/v1/namespaces', headers: json, body });
  for (const call of calls) {
    const { id, method, path, anonymous } = call;
    const headers = { ...(call.body === undefined ? {} : json), ...call.headers, 'audit-id': id };
    const text =
      call.body === undefined ? undefined : typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
    await client.call({
      method,
      path,
      headers,
      ...(text === undefined ? {} : { body: text }),
      ...(anonymous === undefined ? {} : { anonymous }),
    });
  }
  client.close();
}

/** Reads the events once the last one was written. */
async function eventsOf(name: 'theirs' | 'ours'): Promise<Record<string, unknown>> {
  const read = (): AuditEvent[] =>
    readFileSync(`${folder}/${name}.log`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ auditID }) => calls.some(({ id }) => id === auditID));
  await vi.waitFor(() => expect(read().filter(({ auditID }) => auditID === 'watch')).toHaveLength(3), 10_000);
  const normaliser = new Normaliser(pair[name].port);
  return Object.fromEntries(
    calls.map(({ id }) => [
      id,
      read()
        .filter(({ auditID }) => auditID === id)
        .map((event) => normaliser.body(event)),
    ]),
  );
}

/** Allowed differences, with the reason. */
const allowed: readonly (readonly [id: RegExp, path: RegExp, reason: string])[] = [
  [/./, /^\[\d\]\.user\.(username|extra)/, 'the administrators have other names and certificates'],
  [
    /^review$/,
    /requestObject\.(metadata|status)$/,
    'upstream adds empty fields of its Go type; ours is the body as sent',
  ],
  [/^delete$/, /requestObject\.apiVersion$/, 'upstream names its internal version, meta.k8s.io/__internal'],
];

it.each(calls.map(({ id }) => id))('records the same events for %s', (id) => {
  const found = differences(theirs[id], ours[id], new Pairing());
  const isAllowed = (path: string): boolean => allowed.some(([ids, paths]) => ids.test(id) && paths.test(path));
  expect(found.filter(({ path }) => !isAllowed(path))).toEqual([]);
});
