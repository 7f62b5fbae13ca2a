import { constants } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { flood, open, reviews, send, stacks, start, type Target } from './target.js';

const json = { 'content-type': 'application/json' };

/** Calls `act` until the process is killed, `perTurn` times before other work of the event loop. */
async function forever(perTurn: number, act: () => void): Promise<never> {
  for (;;) {
    for (let count = 0; count < perTurn; count += 1) act();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function portOf({ endpoint }: Target): number {
  return Number(new URL(endpoint).port);
}

function review(target: Target): string {
  return JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: `${target.token.slice(0, -8)}AAAAAAAA` },
  });
}

const accessReview = JSON.stringify({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
});

/** Signs in to the console with the token until the process is killed. */
function signIns(target: Target, tokenOf: (index: number) => string): Promise<void> {
  return flood(target, { clients: 4, parallel: 25 }, (index) => ({
    method: 'POST',
    path: '/console/api/sign-in',
    headers: { ...json, origin: target.endpoint, authorization: '' },
    body: JSON.stringify({ token: tokenOf(index) }),
  }));
}

export const connectionAttacks: Readonly<Record<string, (target: Target) => void | Promise<void>>> = {
  'sign-ins with wrong tokens': (target) => signIns(target, (index) => `wrong-${index}`),
  'hundreds of console sessions': (target) => signIns(target, () => target.token),
  'access reviews': (target) =>
    flood(target, { clients: 4, parallel: 100 }, () => ({
      method: 'POST',
      path: reviews,
      headers: json,
      body: accessReview,
    })),
  'token reviews and forged tokens': (target) => {
    const body = review(target);
    const forged = `Bearer ${target.token.slice(0, -8)}AAAAAAAA`;
    return flood(target, { clients: 4, parallel: 50 }, (index) =>
      index % 2 === 0
        ? { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', headers: json, body }
        : { path: `/api/v1/namespaces/${target.namespace}`, headers: { authorization: forged } },
    );
  },
  'impersonation without permission': (target) =>
    flood(target, { clients: 4, parallel: 50 }, (index) => ({
      path: '/api/v1/secrets',
      headers: {
        'impersonate-user': index % 2 === 0 ? 'kubernetes-admin' : `user-${index}`,
        'impersonate-group': Array.from({ length: 200 }, (_, group) => (group === 0 ? 'system:masters' : `g${group}`)),
      },
    })),
  'large headers': (target) => {
    const filler = 'x'.repeat(6_000);
    const headers = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x-filler-${index}`, filler]));
    return flood(target, { clients: 4, parallel: 50 }, (index) => ({
      path: `/api/v1/namespaces/${target.namespace}/configmaps?labelSelector=${'a,'.repeat(index % 2 === 0 ? 2_000 : 1)}b`,
      headers,
    }));
  },
  'thousands of watches': (target) => {
    for (let client = 0; client < 4; client += 1) {
      const session = open(target);
      for (let index = 0; index < 900; index += 1)
        start(session, target, { path: `${stacks(target)}?watch=true` })
          ?.resume()
          .end();
    }
    return flood(target, { clients: 1, parallel: 5 }, (index) => ({
      method: 'POST',
      path: stacks(target),
      headers: json,
      body: JSON.stringify({
        apiVersion: 'hostile.example.com/v1',
        kind: 'Stack',
        metadata: { name: `watched-${process.pid}-${index}` },
        spec: { note: 'x'.repeat(2_000) },
      }),
    }));
  },
  'responses that are never read': (target) => {
    for (let client = 0; client < 20; client += 1) {
      const session = open(target);
      for (let index = 0; index < 100; index += 1) start(session, target, { path: '/openapi/v2' })?.pause().end();
    }
  },
  'large documents': (target) =>
    flood(target, { clients: 4, parallel: 20 }, (index) => ({
      path: index % 2 === 0 ? '/openapi/v2' : '/openapi/v3/api/v1',
      headers: { 'accept-encoding': index % 4 < 2 ? 'gzip' : 'identity' },
    })),
  'idle connections': (target) => {
    for (let index = 0; index < 1_500; index += 1)
      connectTcp({ port: portOf(target), host: '127.0.0.1' }).on('error', () => undefined);
  },
  'TLS handshakes': (target) => {
    const shake = (): void => {
      const socket = connectTls({ port: portOf(target), host: '127.0.0.1', ca: target.ca });
      socket.on('error', () => undefined);
      socket.on('secureConnect', () => socket.destroy());
      socket.on('close', shake);
    };
    for (let index = 0; index < 20; index += 1) shake();
  },
  'HTTP/2 resets': async (target) => {
    let session = open(target);
    await forever(100, () => {
      if (session.destroyed || session.closed) session = open(target);
      const stream = start(session, target, { path: `/api/v1/namespaces/${target.namespace}/configmaps` });
      stream?.close(constants.NGHTTP2_CANCEL);
    });
  },
  'HTTP/2 pings': async (target) => {
    let session = open(target);
    await forever(100, () => {
      if (session.destroyed || session.closed) session = open(target);
      else if (!session.connecting) session.ping(() => undefined);
    });
  },
  'HTTP/2 settings': async (target) => {
    let session = open(target);
    let size = 0;
    await forever(50, () => {
      if (session.destroyed || session.closed) session = open(target);
      else if (!session.connecting) session.settings({ initialWindowSize: 65_535 + ((size += 1) % 1_000) });
    });
  },
  'missing pages': (target) =>
    flood(target, { clients: 4, parallel: 100 }, (index) => ({ path: `/apis/none.example.com/v1/${index}` })),
  'deletions of collections': async (target) => {
    const session = open(target);
    const path = `/api/v1/namespaces/${target.namespace}/configmaps`;
    for (let index = 0; ; index += 1) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'many-' } });
      await Promise.all(
        Array.from({ length: 100 }, () => send(session, target, { method: 'POST', path, headers: json, body })),
      );
      await send(session, target, { method: 'DELETE', path });
    }
  },
};
