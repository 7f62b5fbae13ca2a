import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseAuthenticationConfiguration, serviceAccountIssuer } from '@slipway/apiserver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { type ServerPair, startServerPair } from '../support/server-under-test.js';
import { TokenIssuer } from '../support/token-issuer.js';

// kube-apiserver and Slipway read the same AuthenticationConfiguration and get the same tokens of a local issuer.
const folder = mkdtempSync(`${tmpdir()}/oidc-differential-`);
let issuer: TokenIssuer;
let pair: ServerPair;
let clients: readonly HttpsClient[];

const mappingsByExpression = {
  username: { expression: "'oidc:' + claims.sub" },
  groups: { expression: "claims.?roles.orValue('').split(',').filter(role, role != '')" },
  uid: { expression: 'claims.jti' },
  extra: [
    { key: 'example.com/tenant', valueExpression: "claims.?tenant.orValue('')" },
    { key: 'example.com/scopes', valueExpression: 'claims.?scopes.orValue([])' },
  ],
};

function configuration(): string {
  const { certificateAuthority } = issuer;
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: issuer.url,
          certificateAuthority,
          audiences: ['kubernetes', 'other'],
          audienceMatchPolicy: 'MatchAny',
        },
        claimValidationRules: [
          { claim: 'tier', requiredValue: 'gold' },
          { expression: 'claims.exp - claims.iat <= 86400', message: 'lifetime is above a day' },
        ],
        claimMappings: {
          username: { claim: 'email', prefix: 'mail:' },
          groups: { claim: 'groups', prefix: 'oidc:' },
          uid: { claim: 'sub' },
        },
        userValidationRules: [{ expression: "!user.username.startsWith('mail:system:')", message: 'reserved name' }],
      },
      {
        issuer: {
          url: issuer.elsewhereUrl,
          discoveryURL: `${issuer.url}/discovery-elsewhere`,
          certificateAuthority,
          audiences: ['kubernetes'],
        },
        claimMappings: mappingsByExpression,
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] },
  });
}

beforeAll(async () => {
  issuer = await TokenIssuer.start(folder);
  writeFileSync(`${folder}/authentication.json`, configuration());
  pair = await startServerPair({
    theirFlags: { 'authentication-config': `${folder}/authentication.json` },
    ourOptions: { authentication: parseAuthenticationConfiguration(configuration(), serviceAccountIssuer) },
  });
  clients = [new HttpsClient(pair.theirs), new HttpsClient(pair.ours)];
  // kube-apiserver fetches the keys of its issuers in the background.
  for (const claims of [gold, elsewhere()])
    await vi.waitUntil(async () => (await signIn(await issuer.sign(claims)))[0]?.status === 201, {
      timeout: 60_000,
      interval: 200,
    });
});
afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await pair?.stop();
  await issuer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Review {
  readonly status?: { readonly userInfo?: { extra?: Record<string, string[]> } };
}

/** Sends the token to both servers and returns the status and user that each of them reports. */
async function signIn(token: string): Promise<readonly { status: number; user: unknown }[]> {
  return Promise.all(
    clients.map(async (client) => {
      const answer = await client.call({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
        anonymous: true,
      });
      const { userInfo } = (JSON.parse(answer.text) as Review).status ?? {};
      return { status: answer.status, user: userInfo };
    }),
  );
}

const gold = { sub: 'u1', tier: 'gold', email: 'jane@example.com', email_verified: true, groups: ['dev', 'ops'] };
const elsewhere = (more: object = {}) => ({ iss: issuer.elsewhereUrl, sub: 'u2', jti: 'id-1', ...more });
const now = Math.floor(Date.now() / 1000);

const tokens: readonly { name: string; claims: () => Record<string, unknown>; status: number }[] = [
  { name: 'with all claims', claims: () => gold, status: 201 },
  { name: 'with one group as a string', claims: () => ({ ...gold, groups: 'dev' }), status: 201 },
  { name: 'without groups', claims: () => ({ ...gold, groups: undefined }), status: 201 },
  { name: 'with groups that are not strings', claims: () => ({ ...gold, groups: [1] }), status: 401 },
  { name: 'for another audience', claims: () => ({ ...gold, aud: 'web' }), status: 401 },
  { name: 'for several audiences', claims: () => ({ ...gold, aud: ['web', 'other'] }), status: 201 },
  { name: 'of an unknown issuer', claims: () => ({ ...gold, iss: 'https://unknown.example.com' }), status: 401 },
  { name: 'that is expired', claims: () => ({ ...gold, iat: now - 7200, exp: now - 60 }), status: 401 },
  { name: 'that is not valid yet', claims: () => ({ ...gold, nbf: now + 1800 }), status: 401 },
  { name: 'that will be valid in a minute', claims: () => ({ ...gold, nbf: now + 60 }), status: 201 },
  { name: 'without expiration', claims: () => ({ ...gold, exp: undefined }), status: 401 },
  { name: 'without the required claim', claims: () => ({ ...gold, tier: undefined }), status: 401 },
  { name: 'with another value of the required claim', claims: () => ({ ...gold, tier: 'silver' }), status: 401 },
  { name: 'that a rule over claims rejects', claims: () => ({ ...gold, exp: now + 200_000 }), status: 401 },
  { name: 'with an unverified address', claims: () => ({ ...gold, email_verified: false }), status: 401 },
  { name: 'without a claim about the address', claims: () => ({ ...gold, email_verified: undefined }), status: 201 },
  { name: 'without the claim of the user name', claims: () => ({ ...gold, email: undefined }), status: 401 },
  { name: 'without the claim of the UID', claims: () => ({ ...gold, sub: undefined }), status: 401 },
  { name: 'that a rule over users rejects', claims: () => ({ ...gold, email: 'system:admin' }), status: 401 },
  {
    name: 'mapped by expressions',
    claims: () => elsewhere({ roles: 'a,b', tenant: 't', scopes: ['x', 'y'] }),
    status: 201,
  },
  { name: 'with few claims for expressions', claims: () => elsewhere(), status: 201 },
  { name: 'with a claim of another type', claims: () => elsewhere({ roles: 7 }), status: 401 },
  { name: 'without a claim that an expression reads', claims: () => elsewhere({ jti: undefined }), status: 401 },
];

describe('a token', () => {
  it.each(tokens)('$name gets the same answer as from kube-apiserver', async ({ claims, status }) => {
    const [theirs, ours] = await signIn(await issuer.sign(claims()));
    expect(ours).toEqual(theirs);
    expect(theirs).toMatchObject({ status });
  });

  it('with a changed signature is refused', async () => {
    const token = await issuer.sign(gold);
    const [header, payload, signature = ''] = token.split('.');
    const [theirs, ours] = await signIn(
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    );
    expect(theirs).toMatchObject({ status: 401 });
    expect(ours).toEqual(theirs);
  });

  it('of a key that the issuer added later is accepted', async () => {
    await issuer.addKey('second', 'ES256');
    const token = await issuer.sign(gold);
    await expect.poll(() => signIn(token), { interval: 500 }).toMatchObject([{ status: 201 }, { status: 201 }]);
  });
});

describe('an anonymous request', () => {
  it.each(['/livez', '/readyz', '/version', '/api'])(
    'for %s gets the same answer as from kube-apiserver',
    async (path) => {
      const [theirs, ours] = await Promise.all(
        clients.map(async (client) => (await client.call({ method: 'GET', path, anonymous: true })).status),
      );
      expect(ours).toBe(theirs);
      expect(theirs).toBe(path.endsWith('z') ? 200 : 401);
    },
  );
});
