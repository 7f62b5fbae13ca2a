import { describe, expect, it } from 'vitest';
import { systemRandom, VirtualClock } from '@slipway/base';
import {
  type CertificateAuthority,
  CertificateVerifier,
  clientTemplate,
  createCa,
  generatePrivateKey,
  issueCertificate,
  selfSign,
  servingTemplate,
} from './index.js';

const clock = new VirtualClock(Date.UTC(2026, 5, 1));
const dependencies = { clock, random: systemRandom };
const dayMs = 86_400_000;

async function newCa(): Promise<CertificateAuthority> {
  return createCa(dependencies, { commonName: 'kubernetes', key: await generatePrivateKey('ECDSA') });
}

describe('verifying client certificates', () => {
  it('accepts a certificate issued by a trusted CA and rejects every other', async () => {
    const ca = await newCa();
    const otherCa = await newCa();
    const key = await generatePrivateKey('ECDSA');
    const verifier = new CertificateVerifier([ca.certificate]);
    const good = await issueCertificate(dependencies, ca, clientTemplate('jane', ['dev']), key);
    const forged = await issueCertificate(dependencies, otherCa, clientTemplate('jane', ['system:masters']), key);
    const serving = await issueCertificate(dependencies, ca, servingTemplate('web', ['a']), key);
    const own = await selfSign(dependencies, clientTemplate('jane', ['system:masters']), key);
    const answers = [good, forged, serving, own].map((each) => verifier.verify(each.der, clock.now()));
    expect(answers.map((answer) => (answer.ok ? answer.certificate.subject.commonName : answer.reason))).toEqual([
      'jane',
      'UnknownCa',
      'WrongUsage',
      'UnknownCa',
    ]);
    expect(verifier.verify(new Uint8Array([1, 2, 3]), clock.now())).toEqual({ ok: false, reason: 'Malformed' });
    expect(verifier.verify(new Uint8Array(100_000), clock.now())).toEqual({ ok: false, reason: 'Malformed' });
  });

  it('checks the validity period on every call, cached or not', async () => {
    const ca = await newCa();
    const verifier = new CertificateVerifier([ca.certificate]);
    const key = await generatePrivateKey('ECDSA');
    const issued = await issueCertificate(dependencies, ca, clientTemplate('u', [], { validityMs: dayMs }), key);
    expect(verifier.verify(issued.der, clock.now()).ok).toBe(true);
    expect(verifier.verify(issued.der, clock.now() + 2 * dayMs)).toEqual({ ok: false, reason: 'Expired' });
    expect(verifier.verify(issued.der, clock.now() - dayMs)).toEqual({ ok: false, reason: 'NotYetValid' });
    expect(verifier.verify(issued.der, clock.now()).ok).toBe(true);
  });

  it('does not accept a leaf certificate as an issuer', async () => {
    const ca = await newCa();
    const leafKey = await generatePrivateKey('ECDSA');
    const leaf = await issueCertificate(dependencies, ca, clientTemplate('leaf', []), leafKey);
    const below = await issueCertificate(
      dependencies,
      { certificate: leaf, key: leafKey },
      clientTemplate('root', ['system:masters']),
      leafKey,
    );
    const verifier = new CertificateVerifier([ca.certificate]);
    expect(verifier.verify(below.der, clock.now(), [leaf.der])).toEqual({ ok: false, reason: 'UnknownCa' });
    expect(new CertificateVerifier([leaf]).verify(below.der, clock.now()).ok).toBe(false);
  });

  it('verifies the signatures of a certificate only once', async () => {
    const ca = await newCa();
    const verifier = new CertificateVerifier([ca.certificate]);
    const key = await generatePrivateKey('ECDSA');
    const { der } = await issueCertificate(dependencies, ca, clientTemplate('u', []), key);
    const found = [der, der, Uint8Array.from(der)].map((each) => {
      const answer = verifier.verify(each, clock.now());
      return answer.ok ? answer.certificate : undefined;
    });
    expect(found[0]).toBeDefined();
    expect(found.every((each) => each === found[0])).toBe(true);
  });
});
