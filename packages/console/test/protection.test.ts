import {
  type BodyStream,
  type HttpRequest,
  type HttpResponse,
  silentLogger,
  systemClock,
  systemRandom,
  VirtualClock,
} from '@slipway/base';
import { unauthorized } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Console, type User } from '../src/index.js';

/** The client is never used: the console rejects the requests of these tests before it calls the management cluster. */
const admin: User = { name: 'admin', client: {} as Client, close: () => undefined };

interface TestRequest extends Partial<Omit<HttpRequest, 'headers'>> {
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

describe('console security', () => {
  let folder: string;
  let console: Console;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const authenticator = { authenticateToken: () => Promise.resolve(undefined) };
    const planThread = new URL('plan-thread.mjs', import.meta.url);
    console = await Console.open({
      assets: folder,
      planThread,
      authenticator,
      loopbackOnly: true,
      secure: false,
      ...dependencies,
    });
  });

  afterAll(async () => {
    await console.dispose();
    await rm(folder, { recursive: true });
  });

  function send(request: TestRequest, target = console): Promise<HttpResponse> {
    const { body, headers = {}, ...others } = request;
    return target.handle({
      method: body === undefined ? 'GET' : 'POST',
      url: '/console/',
      remoteAddress: '127.0.0.1',
      clientCertificate: undefined,
      readBody: () => Promise.resolve(Buffer.from(JSON.stringify(body ?? {}))),
      onClose: () => undefined,
      ...others,
      headers: { host: '127.0.0.1:8080', 'content-type': 'application/json', ...headers },
    });
  }

  function code(): string {
    return console.signInLink(admin).split('#code=')[1] ?? '';
  }

  async function signedIn(
    from: TestRequest = {},
  ): Promise<{ cookie: string; 'x-csrf-token': string; mayAct: boolean }> {
    const { headers, body } = await send({ url: '/console/api/sign-in', body: { code: code() }, ...from });
    const { csrf, mayAct } = JSON.parse(String(body)) as { csrf: string; mayAct: boolean };
    return { cookie: String(headers['set-cookie']).split(';')[0] ?? '', 'x-csrf-token': csrf, mayAct };
  }

  const deletion = {
    action: 'delete',
    of: { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace: 'default', name: 'demo' },
  };

  it('loads no external content and cannot be framed', async () => {
    const { headers } = await send({});
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each<{ name: string; request: TestRequest; status: number }>([
    { name: 'a view without a session', request: { url: '/console/api/stream?view=fleet' }, status: 401 },
    { name: 'a foreign host name', request: { headers: { host: 'evil.example' } }, status: 421 },
    {
      name: 'a sign-in from another site',
      request: { url: '/console/api/sign-in', body: { code: 'x' }, headers: { 'sec-fetch-site': 'cross-site' } },
      status: 403,
    },
    {
      name: 'a sign-in from another origin',
      request: { url: '/console/api/sign-in', body: { code: 'x' }, headers: { origin: 'https://evil.example' } },
      status: 403,
    },
    { name: 'an unknown sign-in code', request: { url: '/console/api/sign-in', body: { code: 'x' } }, status: 401 },
    { name: 'an unknown token', request: { url: '/console/api/sign-in', body: { token: 'x' } }, status: 401 },
    {
      name: 'a form post of another site',
      request: { url: '/console/api/sign-in', body: {}, headers: { 'content-type': 'text/plain' } },
      status: 415,
    },
    { name: 'a PUT request to a page', request: { method: 'PUT' }, status: 405 },
  ])('rejects $name with status $status', async ({ request, status }) => {
    expect((await send(request)).status).toBe(status);
  });

  it('rejects a used link, but accepts one again whose response was lost', async () => {
    const body = { code: code() };
    const first = await send({ url: '/console/api/sign-in', body });
    const second = await send({ url: '/console/api/sign-in', body });
    expect(second.status).toBe(200);
    expect(second.headers['set-cookie']).toBe(first.headers['set-cookie']);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect((await send({ url: '/console/api/session', headers: { cookie } })).status).toBe(200);
    expect((await send({ url: '/console/api/sign-in', body })).status).toBe(401);
  });

  it('rejects an action without the CSRF token of the session', async () => {
    const { cookie } = await signedIn();
    expect((await send({ url: '/console/api/action', body: deletion, headers: { cookie } })).status).toBe(403);
  });

  it('rejects an action from another host and through a proxy', async () => {
    const away = { remoteAddress: '192.0.2.7' };
    const { mayAct, ...headers } = await signedIn(away);
    expect(mayAct).toBe(false);
    expect((await send({ url: '/console/api/action', body: deletion, headers, ...away })).status).toBe(403);
    const proxied = { ...headers, 'x-forwarded-for': '192.0.2.7' };
    expect((await send({ url: '/console/api/action', body: deletion, headers: proxied })).status).toBe(403);
  });

  it('rejects an unknown action', async () => {
    const { mayAct, ...headers } = await signedIn();
    expect(mayAct).toBe(true);
    const statusOf = async (body: object): Promise<number> =>
      (await send({ url: '/console/api/action', body, headers })).status;
    expect(await statusOf({ ...deletion, action: 'explode' })).toBe(400);
    expect(await statusOf({ action: 'delete' })).toBe(400);
    expect(await statusOf({ ...deletion, action: 'scale', replicas: 'many' })).toBe(400);
  });

  it('hides the session cookie from scripts and other sites', async () => {
    const { headers } = await send({ url: '/console/api/sign-in', body: { code: code() } });
    expect(headers['set-cookie']).toMatch(/Path=\/console; HttpOnly; SameSite=Strict$/);
  });

  it('ends the least recently used session of a user with too many, and no session of other users', async () => {
    const { cookie: first } = await signedIn();
    const other = { ...admin, name: 'other' };
    const link = console.signInLink(other).split('#code=')[1] ?? '';
    const response = await send({ url: '/console/api/sign-in', body: { code: link } });
    const otherCookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    for (let count = 0; count < 600; count += 1) await signedIn();
    const userOf = async (cookie: string): Promise<unknown> =>
      (JSON.parse(String((await send({ url: '/console/api/session', headers: { cookie } })).body)) as { user: unknown })
        .user;
    expect(await userOf(first)).toBeNull();
    expect(await userOf(otherCookie)).toBe('other');
  });

  it('ends the streams of a session that signs out', async () => {
    const { mayAct: _mayAct, ...headers } = await signedIn();
    const { body } = await send({ url: '/console/api/stream?view=infrastructure', headers });
    const stream = (body as BodyStream)({ write: () => true, onClose: () => undefined });
    await send({ url: '/console/api/sign-out', body: {}, headers });
    await expect(stream).resolves.toBeUndefined();
  });

  /** Opens a console with an open stream of a user. `username` returns the user name at the management cluster. */
  async function streamOf(displayName: string, username: () => Promise<string>) {
    const clock = new VirtualClock();
    const create = async (): Promise<unknown> => ({ status: { userInfo: { username: await username() } } });
    const user: User = { name: displayName, client: { create } as never, close: () => undefined };
    const other = await Console.open({
      assets: folder,
      planThread: new URL('plan-thread.mjs', import.meta.url),
      authenticator: { authenticateToken: () => Promise.resolve(user) },
      loopbackOnly: false,
      secure: false,
      clock,
      random: systemRandom,
      logger: silentLogger,
    });
    const { headers } = await send({ url: '/console/api/sign-in', body: { token: 'x' } }, other);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const open = (): Promise<HttpResponse> =>
      send({ url: '/console/api/stream?view=infrastructure', headers: { cookie } }, other);
    const { body } = await open();
    const stream = (body as BodyStream)({ write: () => true, onClose: () => undefined });
    return { clock, stream, open, dispose: () => other.dispose() };
  }

  it('ends the streams of a session whose credentials are no longer accepted', async () => {
    let isAccepted = true;
    const { clock, stream, open, dispose } = await streamOf('admin', () =>
      isAccepted ? Promise.resolve('admin') : Promise.reject(unauthorized()),
    );
    await clock.advance(60_000);
    expect((await open()).status).toBe(200);
    isAccepted = false;
    await clock.advance(5_000);
    await stream;
    expect((await open()).status).toBe(401);
    await dispose();
  });

  it('ends the streams of a session whose credentials belong to another user now', async () => {
    let username = 'admin';
    const { clock, stream, open, dispose } = await streamOf('admin', () => Promise.resolve(username));
    await clock.advance(60_000);
    username = 'system:anonymous';
    await clock.advance(5_000);
    await stream;
    expect((await open()).status).toBe(401);
    await dispose();
  });

  it('keeps a session whose display name differs from the user name in the management cluster', async () => {
    const { clock, open, dispose } = await streamOf('my-context', () => Promise.resolve('kubernetes-admin'));
    await clock.advance(60_000);
    expect((await open()).status).toBe(200);
    await dispose();
  });

  it('keeps a session while the management cluster cannot be reached', async () => {
    let isReachable = false;
    const { clock, open, dispose } = await streamOf('admin', () =>
      isReachable ? Promise.resolve('kubernetes-admin') : Promise.reject(new Error('connection refused')),
    );
    await clock.advance(60_000);
    isReachable = true;
    await clock.advance(60_000);
    expect((await open()).status).toBe(200);
    await dispose();
  });

  it('rejects requests of a session that has signed out', async () => {
    const { mayAct: _mayAct, ...headers } = await signedIn();
    expect((await send({ url: '/console/api/sign-out', body: {}, headers })).status).toBe(200);
    expect((await send({ url: '/console/api/stream?view=fleet', headers })).status).toBe(401);
  });
});
