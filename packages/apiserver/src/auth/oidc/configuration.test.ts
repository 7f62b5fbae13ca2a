import { describe, expect, it } from 'vitest';
import { parseAuthenticationConfiguration } from './index.js';

const own = 'https://kubernetes.default.svc.cluster.local';
const issuer = { url: 'https://login.example.com', audiences: ['slipway'] };
const claimMappings = { username: { claim: 'sub', prefix: '' } };
const file = (jwt: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt, ...more });

describe('an AuthenticationConfiguration', () => {
  it.each(['v1', 'v1beta1'])('is read at version %s', (version) => {
    const text = file([{ issuer, claimMappings }]).replace('k8s.io/v1', `k8s.io/${version}`);
    expect(parseAuthenticationConfiguration(text, own)).toMatchObject({
      issuers: [{ url: issuer.url, audiences: ['slipway'], username: { claim: 'sub', prefix: '' }, groups: undefined }],
      anonymous: undefined,
    });
  });

  const withUsername = (username: object, more: object = {}) => [{ issuer, claimMappings: { username }, ...more }];
  const rows: { name: string; jwt: readonly unknown[]; more?: object; problem: string }[] = [
    {
      name: 'an unknown field',
      jwt: [{ issuer: { ...issuer, colour: 1 }, claimMappings }],
      problem: 'jwt[0].issuer.colour: unknown field',
    },
    {
      name: 'an issuer without TLS',
      jwt: [{ issuer: { ...issuer, url: 'http://a' }, claimMappings }],
      problem: 'jwt[0].issuer.url: "http://a" is not a URL with the scheme https',
    },
    {
      name: 'the issuer of service account tokens',
      jwt: [{ issuer: { ...issuer, url: own }, claimMappings }],
      problem: `jwt[0].issuer.url: must not be the issuer of service account tokens, ${own}`,
    },
    {
      name: 'no audience',
      jwt: [{ issuer: { ...issuer, audiences: [] }, claimMappings }],
      problem: 'jwt[0].issuer.audiences: at least one audience is required, and none may be empty',
    },
    {
      name: 'several audiences without a policy',
      jwt: [{ issuer: { ...issuer, audiences: ['a', 'b'] }, claimMappings }],
      problem: 'jwt[0].issuer.audienceMatchPolicy: must be MatchAny for multiple audiences',
    },
    {
      name: 'the same issuer twice',
      jwt: [
        { issuer, claimMappings },
        { issuer, claimMappings },
      ],
      problem: 'jwt[1].issuer.url: duplicate value "https://login.example.com"',
    },
    {
      name: 'no user name',
      jwt: [{ issuer, claimMappings: {} }],
      problem: 'jwt[0].claimMappings.username: claim or expression is required',
    },
    {
      name: 'a claim without a prefix',
      jwt: withUsername({ claim: 'sub' }),
      problem: 'jwt[0].claimMappings.username.prefix: is required with a claim; it may be empty',
    },
    {
      name: 'an expression of another type',
      jwt: withUsername({ expression: '1 + 1' }),
      problem: 'jwt[0].claimMappings.username.expression: ',
    },
    {
      name: 'an address that is not verified',
      jwt: withUsername({ expression: 'claims.email' }),
      problem: 'jwt[0].claimMappings.username.expression: claims.email_verified must be used if claims.email is used',
    },
    {
      name: 'a key in upper case',
      jwt: [{ issuer, claimMappings: { ...claimMappings, extra: [{ key: 'a.b/C', valueExpression: '""' }] } }],
      problem: 'jwt[0].claimMappings.extra[0].key: ',
    },
    {
      name: 'conditions of disabled anonymous requests',
      jwt: [],
      more: { anonymous: { enabled: false, conditions: [{ path: '/' }] } },
      problem: 'anonymous.conditions: must be empty if anonymous is not enabled',
    },
  ];
  it.each(rows)('with $name is rejected', ({ jwt, more, problem }) => {
    expect(() => parseAuthenticationConfiguration(file(jwt, more), own)).toThrow(problem);
  });

  it('may compute the user name from an address that a rule verifies', () => {
    const rule = { expression: 'claims.email_verified == true' };
    const jwt = withUsername({ expression: 'claims.email' }, { claimValidationRules: [rule] });
    expect(parseAuthenticationConfiguration(file(jwt), own).issuers).toHaveLength(1);
  });
});
