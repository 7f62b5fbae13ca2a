import { systemRandom, VirtualClock } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import { CertificateVerifier, clientTemplate, createCa, generatePrivateKey, issueCertificate } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import { CertificateAuthenticator } from './certificate-authenticator.js';
import { RequestAuthenticator } from './request-authenticator.js';
import { BearerTokens, StaticTokens } from './tokens/index.js';

const clock = new VirtualClock();
const dependencies = { clock, random: systemRandom };
const key = await generatePrivateKey('ECDSA');
const authority = await createCa(dependencies, { commonName: 'ca', key });
const foreign = await createCa(dependencies, { commonName: 'other', key: await generatePrivateKey('ECDSA') });
const jane = await issueCertificate(dependencies, authority, clientTemplate('jane', ['dev', 'ops']), key);
const unnamed = await issueCertificate(dependencies, authority, clientTemplate('', ['dev']), key);
const forged = await issueCertificate(dependencies, foreign, clientTemplate('jane', ['system:masters']), key);

const tokens = new BearerTokens([
  new StaticTokens([{ token: 'secret', user: { username: 'admin', groups: ['system:masters'] } }]),
]);
const certificates = new CertificateAuthenticator(new CertificateVerifier([authority.certificate]), clock);

async function userOf(header: string | undefined, der?: Uint8Array, anonymous = true): Promise<string> {
  const authenticator = new RequestAuthenticator({ certificates, tokens, anonymous });
  try {
    const user = await authenticator.authenticate({
      headers: { authorization: header },
      ...(der === undefined ? {} : { clientCertificate: der }),
    });
    return user === undefined ? 'none' : `${user.username} ${user.groups.join(',')}`;
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe('authentication of a request', () => {
  it.each<[string, string | undefined, Uint8Array | undefined, boolean, string]>([
    [
      'authenticates a request without credentials as anonymous',
      undefined,
      undefined,
      true,
      'system:anonymous system:unauthenticated',
    ],
    ['rejects a request without credentials if anonymous access is disabled', undefined, undefined, false, 'none'],
    ['authenticates a token', 'Bearer secret', undefined, true, 'admin system:masters,system:authenticated'],
    [
      'returns 401 for an invalid token even if anonymous access is enabled',
      'Bearer wrong',
      undefined,
      true,
      '401 Unauthorized',
    ],
    ['ignores other authorization schemes', 'Basic YTpi', undefined, true, 'system:anonymous system:unauthenticated'],
    [
      'authenticates a certificate with CN as the user and O as the groups',
      undefined,
      jane.der,
      true,
      'jane dev,ops,system:authenticated',
    ],
    ['prefers a certificate over a token', 'Bearer secret', jane.der, true, 'jane dev,ops,system:authenticated'],
    [
      'ignores a certificate without a user name',
      undefined,
      unnamed.der,
      true,
      'system:anonymous system:unauthenticated',
    ],
    ['returns 401 for a forged certificate', undefined, forged.der, true, '401 Unauthorized'],
    [
      'accepts a valid token with an invalid certificate',
      'Bearer secret',
      forged.der,
      true,
      'admin system:masters,system:authenticated',
    ],
    ['returns 401 for a malformed certificate', undefined, new Uint8Array([48, 0]), true, '401 Unauthorized'],
  ])('%s', async (_name, header, der, anonymous, expected) => {
    expect(await userOf(header, der, anonymous)).toBe(expected);
  });

  it('uses a changed set of CAs', async () => {
    const local = new CertificateAuthenticator(new CertificateVerifier([authority.certificate]), clock);
    expect(local.authenticate(forged.der)).toBe('refused');
    local.trust(new CertificateVerifier([foreign.certificate]));
    expect(local.authenticate(forged.der)).toMatchObject({ username: 'jane' });
    expect(local.authenticate(jane.der)).toBe('refused');
  });
});
