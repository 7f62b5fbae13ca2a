import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect, createServer, type Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, generatePrivateKey, privateKeyToPem } from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureServerIdentity, KubernetesServer, openMemoryStore, type ServerIdentity } from '../src/index.js';
import type { PortForwarder } from '../src/http/port-forward/port-forwarder.js';
import { callJson, startKubernetesServer } from './kubernetes-support.js';

const upgradeHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  'sec-websocket-protocol': 'v4.channel.k8s.io',
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends an upgrade request and returns the response. */
async function requestUpgrade(
  port: number,
  path: string,
  identity: Pick<ServerIdentity, 'authority' | 'admin'> | undefined,
  headers: Record<string, string> = upgradeHeaders,
): Promise<Answer> {
  const client = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    headers,
    rejectUnauthorized: false,
    ...(identity === undefined
      ? {}
      : { cert: certificateToPem(identity.admin.certificate), key: privateKeyToPem(identity.admin.key) }),
  });
  client.end();
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    client.once('response', (response) => {
      void text(response).then((body) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
  });
}

describe('port forwarding on a server without pods', () => {
  let server: KubernetesServer;
  let session: ClientHttp2Session;
  let port = 0;

  beforeAll(async () => {
    ({ server, session } = await startKubernetesServer());
    port = server.address?.port ?? 0;
    for (const [name, nodeName] of [
      ['waiting', undefined],
      ['placed', 'somewhere'],
    ] as const) {
      const spec = { containers: [{ name: 'main', image: 'none' }], ...(nodeName === undefined ? {} : { nodeName }) };
      const metadata = { name, namespace: 'default' };
      await callJson(session, 'POST', '/api/v1/namespaces/default/serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default' },
      });
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
      await callJson(session, 'POST', '/api/v1/namespaces/default/pods', pod, { 'content-type': 'application/json' });
    }
  });
  afterAll(async () => {
    session.close();
    await server.stop();
  });

  const admin = (): Pick<ServerIdentity, 'authority' | 'admin'> => server.identity as ServerIdentity;

  it.each([
    { pod: 'none', expected: { code: 404, message: 'pods "none" not found' } },
    { pod: 'waiting', expected: { code: 400, message: 'pod waiting does not have a host assigned' } },
    {
      pod: 'placed',
      expected: {
        code: 500,
        message: 'Internal error occurred: error dialing backend: no kubelet of node somewhere is known to this server',
      },
    },
  ])('rejects pod $pod: $expected.message', async ({ pod, expected }) => {
    const path = `/api/v1/namespaces/default/pods/${pod}/portforward?ports=80`;
    const answer = await requestUpgrade(port, path, admin());
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', status: 'Failure', ...expected });
  });

  it('requires authorization', async () => {
    const answer = await requestUpgrade(port, '/api/v1/namespaces/default/pods/placed/portforward?ports=80', undefined);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('cannot get resource \\"pods/portforward\\"');
  });

  it('rejects other upgrade requests', async () => {
    const answer = await requestUpgrade(port, '/api/v1/namespaces/default/pods', admin());
    expect(answer.status).toBe(404);
  });
});

describe('a server with externally accepted connections', () => {
  let server: KubernetesServer;
  let front: Server;
  let identity: ServerIdentity;
  let port = 0;
  const requested: string[] = [];
  const forwarder: PortForwarder = (pod, podPort) => {
    requested.push(`${pod.namespace}/${pod.name}:${podPort}`);
    return Promise.resolve(new PassThrough());
  };

  beforeAll(async () => {
    const files = new Map<string, string>();
    const dependencies = { clock: systemClock, random: systemRandom };
    identity = await ensureServerIdentity({
      ...dependencies,
      keys: { next: generatePrivateKey },
      files: {
        read: (name) => Promise.resolve(files.get(name)),
        write: (name, content) => Promise.resolve(void files.set(name, content)),
      },
    });
    const { authority, serviceAccountKey, serving } = identity;
    server = await KubernetesServer.start({
      ...dependencies,
      store: await openMemoryStore(),
      logger: silentLogger,
      identity: { authority, serviceAccountKey },
      loops: 'atFirstRequest',
      portForwarder: forwarder,
    });
    front = createServer((socket) => server.accept(socket, serving));
    await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
    port = (front.address() as { port: number }).port;
  });
  afterAll(async () => {
    await server.stop();
    await new Promise((resolve) => front.close(resolve));
  });

  const accounts = (): number => server.store.count('serviceaccounts');

  it('starts its controllers with the first request, not with a handshake', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    expect(accounts()).toBe(0);
    expect((await requestUpgrade(port, '/api/v1/namespaces/default/pods/none/portforward', identity)).status).toBe(404);
    await expect.poll(accounts, { interval: 1 }).toBeGreaterThan(0);
  });

  it('does not listen itself', async () => {
    expect(server.address).toBeUndefined();
    await expect(server.listen({ port: 0 })).rejects.toThrow('no serving certificate');
  });

  it.each([
    { name: 'channels of a WebSocket', headers: upgradeHeaders, then: 'v4.channel.k8s.io' },
    {
      name: 'SPDY in a WebSocket',
      headers: { ...upgradeHeaders, 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' },
      then: 'SPDY/3.1+portforward.k8s.io',
    },
  ])('forwards ports over $name', async ({ headers, then }) => {
    const key = { resource: 'pods', namespace: 'default', name: 'there' };
    if (server.store.get(key) === undefined) {
      const metadata = { name: 'there', namespace: 'default' };
      const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'here', containers: [] } };
      await server.store.commit({ key, expected: 0, object });
    }
    const path = '/api/v1/namespaces/default/pods/there/portforward?ports=80';
    const answer = await requestUpgrade(port, path, identity, headers);
    expect(answer.status).toBe(101);
    expect(answer.headers['sec-websocket-accept']).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(answer.headers['sec-websocket-protocol']).toBe(then);
    expect(requested).toContain('default/there:80');
  });

  it('lists the supported protocols', async () => {
    const path = '/api/v1/namespaces/default/pods/there/portforward?ports=80';
    const headers = { ...upgradeHeaders, 'sec-websocket-protocol': 'v1.other' };
    const answer = await requestUpgrade(port, path, identity, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('v4.channel.k8s.io');
    expect((await requestUpgrade(port, `${path}x`, identity)).status).toBe(400);
  });
});
