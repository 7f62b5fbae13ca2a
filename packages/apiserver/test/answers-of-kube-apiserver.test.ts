import type { ClientHttp2Session } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesServer } from '../src/index.js';
import { callJson, startKubernetesServer } from './kubernetes-support.js';

// These tests expect surprising responses that were recorded from kube-apiserver 1.36.
let server: KubernetesServer;
let session: ClientHttp2Session;

beforeAll(async () => {
  ({ server, session } = await startKubernetesServer());
});
afterAll(async () => {
  session.close();
  await server.stop();
});

const maps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  callJson(session, method, path, body, headers);

async function createMap(name: string): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } };
  expect((await call('POST', maps, object)).status).toBe(201);
}

describe('updates like kube-apiserver', () => {
  it('reject deletionTimestamp', async () => {
    await createMap('marked');
    const marked = { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } };
    const { status, json } = await call('PATCH', `${maps}/marked`, marked, merge);
    expect([status, json['message']]).toEqual([
      422,
      'ConfigMap "marked" is invalid: metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    ]);
  });

  it('return 422 for a patch and 409 for a PUT with another uid', async () => {
    await createMap('identified');
    const patched = await call('PATCH', `${maps}/identified`, { metadata: { uid: 'other' } }, merge);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'identified', uid: 'other' } };
    const replaced = await call('PUT', `${maps}/identified`, object);
    expect([patched.status, replaced.status]).toEqual([422, 409]);
  });

  it('reset all managers if managedFields is an empty list', async () => {
    await createMap('managed');
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'managed', managedFields: [] } };
    const { json } = await call('PUT', `${maps}/managed`, object);
    expect(json['metadata']).not.toHaveProperty('managedFields');
  });

  it('return Invalid, not BadRequest, for a patch whose result does not match the type', async () => {
    await createMap('patched');
    const { status, json } = await call('PATCH', `${maps}/patched?fieldValidation=Strict`, { extra: 1 }, merge);
    expect([status, json['reason'], (json['details'] as { causes: unknown[] }).causes]).toEqual([
      422,
      'Invalid',
      [
        {
          reason: 'FieldValueInvalid',
          field: 'patch',
          message: expect.stringMatching(/: strict decoding error: unknown field "extra"$/) as string,
        },
      ],
    ]);
  });
});

describe('field ownership like kube-apiserver', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const labels = { app: 'x' };
  const deployment = (replicas: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'owned' },
    spec: {
      ...replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const apply = { 'content-type': 'application/apply-patch+yaml' };

  it('is not recorded for fields that admission plugins and the strategy set', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const { json } = await call('POST', '/api/v1/namespaces/default/pods', pod);
    const { managedFields } = json['metadata'] as { managedFields: { fieldsV1: { 'f:spec': object } }[] };
    expect(json['spec']).toHaveProperty('tolerations');
    expect(managedFields[0]?.fieldsV1['f:spec']).not.toHaveProperty('f:tolerations');
  });

  it('of replicas is not taken by a scale update, so that a later apply has no conflict', async () => {
    await call('PATCH', `${deployments}/owned?fieldManager=one`, deployment({}), apply);
    await call('PATCH', `${deployments}/owned/scale?fieldManager=scaler`, { spec: { replicas: 3 } }, merge);
    const { status } = await call('PATCH', `${deployments}/owned?fieldManager=one`, deployment({ replicas: 2 }), apply);
    expect(status).toBe(200);
  });
});

describe('deletions like kube-apiserver', () => {
  it('orphan the pods of Jobs by default, with a warning', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { suspend: true, template } };
    await call('POST', '/apis/batch/v1/namespaces/default/jobs', job);
    const { headers, json } = await call('DELETE', '/apis/batch/v1/namespaces/default/jobs/j');
    expect((json['metadata'] as { finalizers: string[] }).finalizers).toEqual(['orphan']);
    expect(String(headers['warning'])).toContain('child pods are preserved by default when jobs are deleted');
  });

  it('report the kind if a precondition fails', async () => {
    await createMap('kept');
    const { status, json } = await call('DELETE', `${maps}/kept`, { preconditions: { uid: 'x' } });
    expect([status, (json['details'] as { kind: string }).kind]).toEqual([409, 'ConfigMap']);
  });
});

describe('reads like kube-apiserver', () => {
  it('return 500 for an invalid resourceVersion, except in lists', async () => {
    await createMap('read');
    const statuses = [
      `${maps}/read?resourceVersion=x`,
      `${maps}?watch=true&resourceVersion=x`,
      `${maps}?resourceVersion=x`,
    ];
    expect(await Promise.all(statuses.map(async (path) => (await call('GET', path)).status))).toEqual([500, 500, 400]);
  });

  it('return a resource 404 for an unknown version of a built-in group, and a path 404 for other groups', async () => {
    expect((await call('GET', '/apis/apps/v9')).json).toMatchObject({ kind: 'Status', reason: 'NotFound' });
  });
});
