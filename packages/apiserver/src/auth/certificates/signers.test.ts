import { systemRandom, VirtualClock } from '@slipway/base';
import { CertificateVerifier, createCa, parseCertificates, type SigningRequestTemplate } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../contract/index.js';
import {
  decideAutoApproval,
  isSigningRequestStale,
  readSigningRequestObject,
  signApproved,
  signerProblem,
  signers,
} from './index.js';
import {
  approvedStatus as approved,
  fixtureKey as key,
  nodeTemplate as node,
  signingRequestObject as csr,
} from './signing-request-fixture.js';
import { isParsed, parseRequest } from './signing-request-object.js';

const start = Date.UTC(2026, 5, 1);
const clock = new VirtualClock(start);
const dependencies = { clock, random: systemRandom };
const authority = await createCa(dependencies, { commonName: 'kubernetes', key });
const dayMs = 86_400_000;

describe('built-in signers', () => {
  const serving = { ...node, dnsNames: ['n1'] };
  const servingUsages = ['digital signature', 'server auth'];

  it.each<[string, SigningRequestTemplate, object, string | undefined]>([
    ['accept a kubelet client', node, {}, undefined],
    [
      'accept a kubelet client without key encipherment',
      node,
      { usages: ['digital signature', 'client auth'] },
      undefined,
    ],
    [
      'reject another organization',
      { subject: { commonName: 'system:node:n1', organizations: ['x'] } },
      {},
      'subject organization is not system:nodes',
    ],
    [
      'reject two organizations',
      { subject: { commonName: 'system:node:n1', organizations: ['system:nodes', 'system:masters'] } },
      {},
      'subject organization is not system:nodes',
    ],
    [
      'reject another common name',
      { subject: { commonName: 'n1', organizations: ['system:nodes'] } },
      {},
      'subject common name does not begin with system:node:',
    ],
    ['reject a DNS name', { ...node, dnsNames: ['a'] }, {}, 'DNS subjectAltNames are not allowed'],
    ['reject an IP address', { ...node, ipAddresses: ['10.0.0.1'] }, {}, 'IP subjectAltNames are not allowed'],
    ['reject an email address', { ...node, emailAddresses: ['a@b.c'] }, {}, 'Email subjectAltNames are not allowed'],
    ['reject a URI', { ...node, uris: ['https://a'] }, {}, 'URI subjectAltNames are not allowed'],
    [
      'reject server usage for a kubelet client',
      node,
      { usages: servingUsages },
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['accept kubelet serving', serving, { signerName: signers.kubeletServing, usages: servingUsages }, undefined],
    [
      'reject serving without names',
      node,
      { signerName: signers.kubeletServing, usages: servingUsages },
      'DNS or IP subjectAltName is required',
    ],
    [
      'reject serving with client usage',
      serving,
      { signerName: signers.kubeletServing },
      'usages did not match [digital signature key encipherment server auth]',
    ],
    ['accept any client', { subject: { commonName: 'jane' } }, { signerName: signers.client }, undefined],
    [
      'reject a client with server usage',
      { subject: { commonName: 'jane' } },
      { signerName: signers.client, usages: ['server auth'] },
      'invalid usage for client certificate: server auth',
    ],
    [
      'reject a client without client usage',
      { subject: { commonName: 'jane' } },
      { signerName: signers.client, usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    [
      'accept anything for the legacy signer',
      serving,
      { signerName: signers.legacyUnknown, usages: ['code signing'] },
      undefined,
    ],
  ])('%s', async (_name, template, spec, expected) => {
    const object = readSigningRequestObject(await csr(template, spec));
    const request = parseRequest(object);
    expect(isParsed(request) ? signerProblem(object, request) : request.problem).toBe(expected);
  });

  it('sign approved requests for the requested duration', async () => {
    const object = readSigningRequestObject(await csr(node, { expirationSeconds: 3600 }, approved));
    const outcome = await signApproved(dependencies, authority, object, { validityMsMax: 365 * dayMs });
    expect(outcome.kind).toBe('signed');
    const [certificate] = parseCertificates(outcome.kind === 'signed' ? outcome.certificatePem : '');
    expect(certificate?.subject).toEqual({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
    expect(certificate?.extendedKeyUsages).toEqual(['client auth']);
    expect(certificate?.notBefore).toBe(start - 300_000);
    expect(certificate?.notAfter).toBe(start + 3_600_000);
    expect(
      new CertificateVerifier([authority.certificate]).verify(certificate?.der ?? new Uint8Array(), start).ok,
    ).toBe(true);
  });

  it('limit the duration to their maximum, backdating included', async () => {
    const object = readSigningRequestObject(await csr(node, { expirationSeconds: 999_999_999 }, approved));
    const outcome = await signApproved(dependencies, authority, object, { validityMsMax: dayMs });
    const [certificate] = parseCertificates(outcome.kind === 'signed' ? outcome.certificatePem : '');
    expect((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)).toBe(dayMs);
  });

  it('ignore pending, denied, failed, signed and foreign requests, and mark invalid ones as failed', async () => {
    const sign = async (spec: object, status?: object, template = node): Promise<unknown> =>
      signApproved(dependencies, authority, readSigningRequestObject(await csr(template, spec, status)), {
        validityMsMax: dayMs,
      });
    const none = { kind: 'none' };
    expect(await sign({})).toEqual(none);
    expect(await sign({}, { conditions: [{ type: 'Denied', status: 'True' }] })).toEqual(none);
    expect(await sign({}, { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] })).toEqual(none);
    expect(await sign({}, { ...approved, certificate: 'eA==' })).toEqual(none);
    expect(await sign({ signerName: 'example.com/x' }, approved)).toEqual(none);
    expect(await sign({}, approved, { ...node, dnsNames: ['a'] })).toEqual({
      kind: 'failed',
      reason: 'SignerValidationFailure',
      message: 'DNS subjectAltNames are not allowed',
    });
    expect(await sign({ request: 'bm90aGluZw==' }, approved)).toMatchObject({ kind: 'failed' });
  });
});

describe('automatic approval', () => {
  const allowing = (...subresources: string[]): Authorizer => ({
    authorize: ({ resource }) => ({ allowed: subresources.includes(resource?.subresource ?? ''), reason: '' }),
  });
  const decide = async (authorizer: Authorizer, spec: object, template = node, status?: object): Promise<unknown> =>
    decideAutoApproval(authorizer, readSigningRequestObject(await csr(template, { username: 'u', ...spec }, status)));

  it.each<[string, Authorizer, object, string]>([
    [
      'a user with permission for nodeclient',
      allowing('nodeclient'),
      {},
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'a node for itself with permission for selfnodeclient',
      allowing('selfnodeclient'),
      { username: 'system:node:n1' },
      'Auto approving self kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'a node with permission for nodeclient',
      allowing('nodeclient'),
      { username: 'system:node:n1' },
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
  ])('approves requests of %s', async (_name, authorizer, spec, message) => {
    expect(await decide(authorizer, spec)).toEqual({ kind: 'approve', reason: 'AutoApproved', message });
  });

  it('does not approve requests for another node, other signers or decided requests', async () => {
    expect(await decide(allowing('selfnodeclient'), { username: 'system:node:n2' })).toEqual({
      kind: 'unauthorized',
      tried: ['nodeclient'],
    });
    expect(await decide(allowing(), { username: 'system:node:n1' })).toEqual({
      kind: 'unauthorized',
      tried: ['selfnodeclient', 'nodeclient'],
    });
    const all = allowing('selfnodeclient', 'nodeclient');
    expect(await decide(all, { signerName: signers.kubeletServing })).toEqual({ kind: 'none' });
    expect(await decide(all, {}, { ...node, dnsNames: ['a'] })).toEqual({ kind: 'none' });
    expect(await decide(all, {}, node, { conditions: [{ type: 'Denied', status: 'True' }] })).toEqual({ kind: 'none' });
  });
});

describe('cleaning of CertificateSigningRequests', () => {
  const hourMs = 3_600_000;
  const at = (ms: number): string => new Date(ms).toISOString();
  const age = async (status: object | undefined, ageMs: number): Promise<boolean> => {
    const object = await csr(node, {}, status);
    object.metadata.creationTimestamp = at(start - ageMs);
    return isSigningRequestStale(object, start);
  };

  it('deletes decided requests after an hour and pending ones after a day', async () => {
    const decided = (type: string, ageMs: number): object => ({
      conditions: [{ type, status: 'True', lastUpdateTime: at(start - ageMs) }],
    });
    expect(await age(undefined, 23 * hourMs)).toBe(false);
    expect(await age(undefined, 25 * hourMs)).toBe(true);
    expect(await age(decided('Denied', hourMs / 2), 48 * hourMs)).toBe(false);
    expect(await age(decided('Denied', 2 * hourMs), 3 * hourMs)).toBe(true);
    expect(await age(decided('Approved', 2 * hourMs), 3 * hourMs)).toBe(false);
    expect(await age({ ...decided('Approved', 2 * hourMs), certificate: 'eA==' }, 3 * hourMs)).toBe(true);
    expect(await age(decided('Unknown', 99 * hourMs), 99 * hourMs)).toBe(false);
  });

  it('deletes requests with expired certificates', async () => {
    const object = readSigningRequestObject(await csr(node, { expirationSeconds: 600 }, approved));
    const outcome = await signApproved(dependencies, authority, object, { validityMsMax: dayMs });
    const certificate = Buffer.from(outcome.kind === 'signed' ? outcome.certificatePem : '').toString('base64');
    const signed = await csr(node, {}, { ...approved, certificate });
    expect(isSigningRequestStale(signed, start)).toBe(false);
    expect(isSigningRequestStale(signed, start + hourMs)).toBe(true);
  });
});
