import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { killPlanes, type Plane, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';
import { OidcIssuer } from './support/oidc-issuer.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-console-oidc-'));
const at = (name: string): string => join(folder, name);
let issuer: OidcIssuer;
let plane: Plane;
let ca = '';

const configuration = (more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: issuer.url, certificateAuthority: issuer.certificateAuthority, audiences: [issuer.clientId] },
        claimMappings: { username: { claim: 'sub', prefix: 'oidc:' }, groups: { claim: 'groups', prefix: 'oidc:' } },
        ...more,
      },
    ],
  });

const flags = (): string[] => [
  '--api-only',
  '--authentication-config',
  at('authentication.json'),
  '--console-oidc-client-id',
  issuer.clientId,
];

beforeAll(async () => {
  issuer = await OidcIssuer.start();
  writeFileSync(at('authentication.json'), configuration());
  writeFileSync(at('secret'), `${issuer.clientSecret}\n`);
  plane = await startPlane(at('data'), ...flags(), '--console-oidc-client-secret-file', at('secret'));
  issuer.redirectUri = `${plane.endpoint}/console/oidc/callback`;
  const config = parse(readFileSync(plane.kubeconfig, 'utf8')) as { clusters: { cluster: Record<string, string> }[] };
  ca = Buffer.from(config.clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64').toString('utf8');
});
afterEach(() => {
  issuer.claims = {};
});
afterAll(async () => {
  await killPlanes();
  await issuer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function get(url: string, cookie = ''): Promise<Page> {
  return new Promise((resolve, reject) => {
    const certificates = [ca, issuer.certificateAuthority];
    const sent = request(url, { ca: certificates, headers: { cookie }, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const cookieOf = ({ headers }: Page, name: string): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '').find((one) => one.startsWith(name)) ?? '';

interface Attempt {
  readonly start: Page;
  /** The response of the issuer that the browser brings back. */
  readonly callback: string;
  readonly cookie: string;
}

/** Follows the sign-in of a browser to the response of the issuer. */
async function begin(page = '/console/'): Promise<Attempt> {
  const start = await get(`${plane.endpoint}/console/oidc/start?to=${encodeURIComponent(page)}`);
  const { headers } = await get(start.headers.location ?? '');
  return { start, callback: headers.location ?? '', cookie: cookieOf(start, 'slipway-sign-in') };
}

async function finish({ callback, cookie }: Attempt): Promise<Page> {
  return get(callback, cookie);
}

const session = async (cookie: string): Promise<Record<string, unknown>> =>
  JSON.parse((await get(`${plane.endpoint}/console/api/session`, cookie)).body) as Record<string, unknown>;

it('signs a user in with a PKCE code and shows the page that the user opened', async () => {
  expect(await session('')).toEqual({ user: null, issuer: new URL(issuer.url).host });
  const attempt = await begin('/console/plan?cluster=a');
  const sent = new URL(attempt.start.headers.location ?? '').searchParams;
  expect(Object.fromEntries(sent)).toMatchObject({
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: issuer.redirectUri,
    code_challenge_method: 'S256',
  });
  expect(attempt.start.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  const done = await finish(attempt);
  expect(done).toMatchObject({ status: 303, headers: { location: '/console/plan?cluster=a' } });
  const cookie = cookieOf(done, 'slipway-console');
  expect(await session(cookie)).toMatchObject({ user: 'oidc:jane', mayAct: true });
});

it('uses the ID token for requests, so that RBAC decides about the user', async () => {
  issuer.claims = { groups: ['ops'] };
  const cookie = cookieOf(await finish(await begin()), 'slipway-console');
  const list = `${plane.endpoint}/console/api/object?group=&version=v1&kind=ConfigMap&namespace=default&name=none`;
  expect((await get(list, cookie)).status).not.toBe(401);
  const review = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: issuer.sign({ sub: 'x' }) },
  };
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const { body } = await kubeRequest(plane.kubeconfig, 'POST', path, review);
  expect(body['status']).toMatchObject({ authenticated: true, user: { username: 'oidc:x' } });
});

const failures: readonly { name: string; reason: string; change: (attempt: Attempt) => Attempt; claims?: object }[] = [
  { name: 'in another browser', reason: 'expired', change: (attempt) => ({ ...attempt, cookie: '' }) },
  {
    name: 'with another state',
    reason: 'expired',
    change: (attempt) => ({ ...attempt, callback: attempt.callback.replace(/state=[^&]+/, 'state=x') }),
  },
  {
    name: 'with a changed ticket',
    reason: 'expired',
    change: (attempt) => ({ ...attempt, cookie: attempt.cookie.replace('=', '=x') }),
  },
  {
    name: 'with an unknown code',
    reason: 'unavailable',
    change: (attempt) => ({ ...attempt, callback: attempt.callback.replace(/code=[^&]+/, 'code=x') }),
  },
  {
    name: 'that the user denied',
    reason: 'denied',
    change: (attempt) => ({ ...attempt, callback: attempt.callback.replace(/code=[^&]+/, 'error=access_denied') }),
  },
  {
    name: 'of another issuer',
    reason: 'refused',
    change: (attempt) => ({ ...attempt, callback: `${attempt.callback}&iss=https%3A%2F%2Fevil.example` }),
  },
  {
    name: 'with the token of another sign-in',
    reason: 'refused',
    change: (attempt) => attempt,
    claims: { nonce: 'x' },
  },
  {
    name: 'with a token for another client',
    reason: 'refused',
    change: (attempt) => attempt,
    claims: { aud: 'other' },
  },
  { name: 'with an expired token', reason: 'refused', change: (attempt) => attempt, claims: { exp: 1 } },
];

it.each(failures)('rejects a sign-in $name', async ({ reason, change, claims = {} }) => {
  issuer.claims = claims as Record<string, unknown>;
  const done = await finish(change(await begin()));
  expect(done).toMatchObject({ status: 303, headers: { location: `/console/#sign-in-failed=${reason}` } });
  expect(cookieOf(done, 'slipway-console')).toBe('');
});

it('accepts a response once', async () => {
  const attempt = await begin();
  expect((await finish(attempt)).headers.location).toBe('/console/');
  expect((await finish(attempt)).headers.location).toBe('/console/#sign-in-failed=unavailable');
});

it.each([
  'https://evil.example/',
  '//evil.example',
  '/console/../../evil',
  '/console/oidc/start',
  '/console/\\evil',
  '',
])('shows the start page after a sign-in with the return page %j', async (page) => {
  const { location = '' } = (await finish(await begin(page))).headers;
  expect(new URL(location, plane.endpoint).origin).toBe(plane.endpoint);
  expect(location === '/console/' || location.startsWith('/console/..')).toBe(true);
});

it('logs why a sign-in failed, without the code', () => {
  const lines = plane.log.filter((line) => line.includes('Failed to sign in with OpenID Connect'));
  expect(lines.join('\n')).toContain('invalid_grant');
  expect(lines.join('\n')).not.toMatch(/code=[0-9a-f]{32}/);
});

it.each([
  ['without an issuer', ['--console-oidc-client-id', 'x'], 'needs an issuer in --authentication-config'],
  ['without a client ID', ['--console-oidc-issuer-url', 'https://x'], 'need --console-oidc-client-id'],
  [
    'with a client ID that is not an audience',
    ['--authentication-config', at('authentication.json'), '--console-oidc-client-id', 'other'],
    'is not one of the audiences',
  ],
  [
    'with an unknown issuer',
    [
      '--authentication-config',
      at('authentication.json'),
      '--console-oidc-client-id',
      'x',
      '--console-oidc-issuer-url',
      'https://x',
    ],
    'has no issuer "https://x"',
  ],
])('does not start %s', async (_name, args, message) => {
  const result = await slipway('up', '--port', '0', '--data-dir', at('other'), ...args);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(message);
});

it('follows changes of the AuthenticationConfiguration', async () => {
  const rule = { expression: 'claims.sub != "jane"', message: 'not Jane' };
  writeFileSync(at('authentication.json'), configuration({ claimValidationRules: [rule] }));
  const next = async (): Promise<string> => (await finish(await begin())).headers.location ?? '';
  await expect.poll(next).toBe('/console/#sign-in-failed=refused');
});
