import { type ClientHttp2Session, connect } from 'node:http2';
import { certificateToPem } from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesServer } from '../src/index.js';
import { callJson, type Json, startKubernetesServer } from './kubernetes-support.js';
import { request } from './server-support.js';

let server: KubernetesServer;
let admin: ClientHttp2Session;
let token: string;
const sessions: ClientHttp2Session[] = [];

beforeAll(async () => {
  ({ server, session: admin } = await startKubernetesServer());
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'hostile' } };
  await callJson(admin, 'POST', '/api/v1/namespaces/default/serviceaccounts', account);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const path = '/api/v1/namespaces/default/serviceaccounts/hostile/token';
  const answer = await callJson(admin, 'POST', path, review);
  token = (answer.json['status'] as Json)['token'] as string;
});

afterAll(async () => {
  for (const session of sessions) session.destroy();
  admin.close();
  await server.stop();
});

function attacker(): ClientHttp2Session {
  const { certificate } = server.identity.authority;
  const session = connect(`https://127.0.0.1:${server.address?.port ?? 0}`, {
    ca: certificateToPem(certificate),
    // In MB. A session that queues more than its limit, 10 MB by default, drops the responses that it receives.
    maxSessionMemory: 100,
  });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

/** Opens requests with a body that never ends. Returns the response codes received so far. */
function openBodies(session: ClientHttp2Session, count: number, path: string, part: Buffer): number[] {
  const codes: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    stream.on('response', (headers) => codes.push(Number(headers[':status'])));
    stream.on('error', () => undefined);
    stream.write(part);
  }
  return codes;
}

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

async function writeLatencies(label: string, count: number): Promise<{ codes: Set<number>; worstMs: number }> {
  const codes = new Set<number>();
  let worstMs = 0;
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${label}-${index}` } };
    codes.add((await callJson(admin, 'POST', '/api/v1/namespaces/default/configmaps', map)).status);
    worstMs = Math.max(worstMs, performance.now() - startedAt);
  }
  return { codes, worstMs };
}

describe('a client without permissions', () => {
  it('does not stop writes with 900 request bodies that never end', async () => {
    const session = attacker();
    openBodies(session, 900, reviews, Buffer.from('{'));
    await expect.poll(() => session.state.outboundQueueSize ?? 0).toBe(0);
    const otherUser = await callJson(
      attacker(),
      'POST',
      reviews,
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { nonResourceAttributes: {} } },
      { authorization: `Bearer ${token}` },
    );
    expect(otherUser.status).toBe(201);
    const { codes } = await writeLatencies('slow-bodies', 20);
    expect([...codes]).toEqual([201]);
  });

  it('gets 429 when its open bodies use up its memory budget; administrators still write', async () => {
    const part = Buffer.alloc(1024 * 1024, 0x20);
    const codes = [1, 2, 3, 4].map(() => openBodies(attacker(), 30, reviews, part));
    await expect.poll(() => codes.flat().filter((code) => code === 429).length).toBeGreaterThan(10);
    const { codes: written } = await writeLatencies('large-bodies', 20);
    expect([...written]).toEqual([201]);
  });

  it('cannot hold more memory through a mounted handler such as the console', async () => {
    server.handler.mount('/console', async (request) => {
      await request.readBody(2 * 1024 * 1024);
      return { status: 200, headers: {}, body: undefined };
    });
    const part = Buffer.alloc(1024 * 1024, 0x20);
    const codes = [1, 2, 3, 4].map(() => openBodies(attacker(), 30, '/console/api/sign-in', part));
    await expect.poll(() => codes.flat().filter((code) => code === 429).length).toBeGreaterThan(10);
  });
});

it('fails /readyz while writes fail to commit, and names the check', async () => {
  const read = (path: string): ReturnType<typeof request> => request(admin, { ':method': 'GET', ':path': path });
  expect((await read('/readyz')).text).toBe('ok');
  const { store } = server;
  store.checkWritable = () => Promise.reject(new Error('no space left on device'));
  expect((await read('/readyz')).status).toBe(500);
  expect((await read('/readyz')).text).toContain('[-]storage failed: reason withheld');
  // Both names are of the same check: the second is kube-apiserver's.
  expect((await read('/readyz?exclude=storage&exclude=etcd-readiness')).status).toBe(200);
  expect((await read('/livez')).text).toBe('ok');
  expect((await read('/healthz?verbose')).text).toContain('[+]etcd ok');
  store.checkWritable = () => Promise.resolve();
  expect((await read('/readyz')).status).toBe(200);
});
