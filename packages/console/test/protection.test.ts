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
import { Console, type Person } from '../src/index.js';

/** No request reaches the management cluster here: the console rejects it first. */
const nobody: Person = { name: 'admin', client: {} as Client, close: () => undefined };

interface Asked extends Partial<Omit<HttpRequest, 'headers'>> {
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

describe('what the console refuses', () => {
  let folder: string;
  let console: Console;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const doorkeeper = { byToken: () => Promise.resolve(undefined) };
    const planThread = new URL('plan-thread.mjs', import.meta.url);
    console = await Console.open({
      assets: folder,
      planThread,
      doorkeeper,
      loopbackOnly: true,
      secure: false,
      ...world,
    });
  });

  afterAll(async () => {
    await console.dispose();
    await rm(folder, { recursive: true });
  });

  function ask(asked: Asked, asking = console): Promise<HttpResponse> {
    const { body, headers = {}, ...others } = asked;
    return asking.handle({
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
    return console.inviteLink(nobody).split('#code=')[1] ?? '';
  }

  async function signedIn(from: Asked = {}): Promise<{ cookie: string; 'x-csrf-token': string; mayAct: boolean }> {
    const { headers, body } = await ask({ url: '/console/api/sign-in', body: { code: code() }, ...from });
    const { csrf, mayAct } = JSON.parse(String(body)) as { csrf: string; mayAct: boolean };
    return { cookie: String(headers['set-cookie']).split(';')[0] ?? '', 'x-csrf-token': csrf, mayAct };
  }

  const deletion = {
    action: 'delete',
    of: { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace: 'default', name: 'demo' },
  };

  it('loads no external content and cannot be framed', async () => {
    const { headers } = await ask({});
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each<{ name: string; asked: Asked; status: number }>([
    { name: 'a view without a session', asked: { url: '/console/api/stream?view=fleet' }, status: 401 },
    { name: 'another name of this machine', asked: { headers: { host: 'evil.example' } }, status: 421 },
    {
      name: 'signing in from another site',
      asked: { url: '/console/api/sign-in', body: { code: 'x' }, headers: { 'sec-fetch-site': 'cross-site' } },
      status: 403,
    },
    {
      name: 'signing in from another origin',
      asked: { url: '/console/api/sign-in', body: { code: 'x' }, headers: { origin: 'https://evil.example' } },
      status: 403,
    },
    { name: 'an unknown sign-in code', asked: { url: '/console/api/sign-in', body: { code: 'x' } }, status: 401 },
    { name: 'an unknown token', asked: { url: '/console/api/sign-in', body: { token: 'x' } }, status: 401 },
    {
      name: 'a form of another site',
      asked: { url: '/console/api/sign-in', body: {}, headers: { 'content-type': 'text/plain' } },
      status: 415,
    },
    { name: 'to change a page', asked: { method: 'PUT' }, status: 405 },
  ])('$name', async ({ asked, status }) => {
    expect((await ask(asked)).status).toBe(status);
  });

  it('a link that was used, but not one whose answer never came', async () => {
    const body = { code: code() };
    const first = await ask({ url: '/console/api/sign-in', body });
    const second = await ask({ url: '/console/api/sign-in', body });
    expect(second.status).toBe(200);
    expect(second.headers['set-cookie']).toBe(first.headers['set-cookie']);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect((await ask({ url: '/console/api/session', headers: { cookie } })).status).toBe(200);
    expect((await ask({ url: '/console/api/sign-in', body })).status).toBe(401);
  });

  it('a deed without the word of the session', async () => {
    const { cookie } = await signedIn();
    expect((await ask({ url: '/console/api/action', body: deletion, headers: { cookie } })).status).toBe(403);
  });

  it('a deed from another machine, and through a proxy', async () => {
    const away = { remoteAddress: '192.0.2.7' };
    const { mayAct, ...headers } = await signedIn(away);
    expect(mayAct).toBe(false);
    expect((await ask({ url: '/console/api/action', body: deletion, headers, ...away })).status).toBe(403);
    const proxied = { ...headers, 'x-forwarded-for': '192.0.2.7' };
    expect((await ask({ url: '/console/api/action', body: deletion, headers: proxied })).status).toBe(403);
  });

  it('an unknown action', async () => {
    const { mayAct, ...headers } = await signedIn();
    expect(mayAct).toBe(true);
    const tried = async (body: object): Promise<number> =>
      (await ask({ url: '/console/api/action', body, headers })).status;
    expect(await tried({ ...deletion, action: 'explode' })).toBe(400);
    expect(await tried({ action: 'delete' })).toBe(400);
    expect(await tried({ ...deletion, action: 'scale', replicas: 'many' })).toBe(400);
  });

  it('keeps the session out of reach of scripts and other sites', async () => {
    const { headers } = await ask({ url: '/console/api/sign-in', body: { code: code() } });
    expect(headers['set-cookie']).toMatch(/Path=\/console; HttpOnly; SameSite=Strict$/);
  });

  it('ends the least recently used session of a user with too many, and no session of other users', async () => {
    const { cookie: first } = await signedIn();
    const other = { ...nobody, name: 'other' };
    const link = console.inviteLink(other).split('#code=')[1] ?? '';
    const begun = await ask({ url: '/console/api/sign-in', body: { code: link } });
    const otherCookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    for (let count = 0; count < 600; count += 1) await signedIn();
    const userOf = async (cookie: string): Promise<unknown> =>
      (JSON.parse(String((await ask({ url: '/console/api/session', headers: { cookie } })).body)) as { user: unknown })
        .user;
    expect(await userOf(first)).toBeNull();
    expect(await userOf(otherCookie)).toBe('other');
  });

  it('ends the streams of a session that signs out', async () => {
    const { mayAct: _mayAct, ...headers } = await signedIn();
    const { body } = await ask({ url: '/console/api/stream?view=infrastructure', headers });
    const stream = (body as BodyStream)({ write: () => true, onClose: () => undefined });
    await ask({ url: '/console/api/sign-out', body: {}, headers });
    await expect(stream).resolves.toBeUndefined();
  });

  /** A console with a user whom the management cluster knows by what `username` returns, and an open stream of that user. */
  async function streamOf(displayName: string, username: () => Promise<string>) {
    const clock = new VirtualClock();
    const create = async (): Promise<unknown> => ({ status: { userInfo: { username: await username() } } });
    const person: Person = { name: displayName, client: { create } as never, close: () => undefined };
    const other = await Console.open({
      assets: folder,
      planThread: new URL('plan-thread.mjs', import.meta.url),
      doorkeeper: { byToken: () => Promise.resolve(person) },
      loopbackOnly: false,
      secure: false,
      clock,
      random: systemRandom,
      logger: silentLogger,
    });
    const { headers } = await ask({ url: '/console/api/sign-in', body: { token: 'x' } }, other);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const open = (): Promise<HttpResponse> =>
      ask({ url: '/console/api/stream?view=infrastructure', headers: { cookie } }, other);
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

  it('keeps a session that is shown under another name than the user name of the management cluster', async () => {
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

  it('forgets who signed out', async () => {
    const { mayAct: _mayAct, ...headers } = await signedIn();
    expect((await ask({ url: '/console/api/sign-out', body: {}, headers })).status).toBe(200);
    expect((await ask({ url: '/console/api/stream?view=fleet', headers })).status).toBe(401);
  });
});
