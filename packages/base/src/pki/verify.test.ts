import { describe, expect, it } from 'vitest';
import { systemRandom, VirtualClock } from '../clock/index.js';
import {
  type CertificateAuthority,
  CertificateVerifier,
  clientTemplate,
  createAuthority,
  generatePrivateKey,
  issueCertificate,
  selfSign,
  servingTemplate,
} from './index.js';

const clock = new VirtualClock(Date.UTC(2026, 5, 1));
const world = { clock, random: systemRandom };
const dayMs = 86_400_000;

async function authorityOf(): Promise<CertificateAuthority> {
  return createAuthority(world, { commonName: 'kubernetes', key: await generatePrivateKey('ECDSA') });
}

describe('verifying client certificates', () => {
  it('accepts what an authority of the set issued and refuses the rest', async () => {
    const authority = await authorityOf();
    const stranger = await authorityOf();
    const key = await generatePrivateKey('ECDSA');
    const verifier = new CertificateVerifier([authority.certificate]);
    const good = await issueCertificate(world, authority, clientTemplate('jane', ['dev']), key);
    const forged = await issueCertificate(world, stranger, clientTemplate('jane', ['system:masters']), key);
    const serving = await issueCertificate(world, authority, servingTemplate('web', ['a']), key);
    const own = await selfSign(world, clientTemplate('jane', ['system:masters']), key);
    const answers = [good, forged, serving, own].map((each) => verifier.verify(each.der, clock.now()));
    expect(answers.map((answer) => (answer.ok ? answer.certificate.subject.commonName : answer.reason))).toEqual([
      'jane',
      'UnknownAuthority',
      'WrongUsage',
      'UnknownAuthority',
    ]);
    expect(verifier.verify(new Uint8Array([1, 2, 3]), clock.now())).toEqual({ ok: false, reason: 'Malformed' });
    expect(verifier.verify(new Uint8Array(100_000), clock.now())).toEqual({ ok: false, reason: 'Malformed' });
  });

  it('judges time on every call, cached or not', async () => {
    const authority = await authorityOf();
    const verifier = new CertificateVerifier([authority.certificate]);
    const key = await generatePrivateKey('ECDSA');
    const issued = await issueCertificate(world, authority, clientTemplate('u', [], { validityMs: dayMs }), key);
    expect(verifier.verify(issued.der, clock.now()).ok).toBe(true);
    expect(verifier.verify(issued.der, clock.now() + 2 * dayMs)).toEqual({ ok: false, reason: 'Expired' });
    expect(verifier.verify(issued.der, clock.now() - dayMs)).toEqual({ ok: false, reason: 'NotYetValid' });
    expect(verifier.verify(issued.der, clock.now()).ok).toBe(true);
  });

  it('does not take a leaf for an issuer', async () => {
    const authority = await authorityOf();
    const leafKey = await generatePrivateKey('ECDSA');
    const leaf = await issueCertificate(world, authority, clientTemplate('leaf', []), leafKey);
    const below = await issueCertificate(
      world,
      { certificate: leaf, key: leafKey },
      clientTemplate('root', ['system:masters']),
      leafKey,
    );
    const verifier = new CertificateVerifier([authority.certificate]);
    expect(verifier.verify(below.der, clock.now(), [leaf.der])).toEqual({ ok: false, reason: 'UnknownAuthority' });
    expect(new CertificateVerifier([leaf]).verify(below.der, clock.now()).ok).toBe(false);
  });

  it('examines a certificate once, whoever brings it again', async () => {
    const authority = await authorityOf();
    const verifier = new CertificateVerifier([authority.certificate]);
    const key = await generatePrivateKey('ECDSA');
    const { der } = await issueCertificate(world, authority, clientTemplate('u', []), key);
    const found = [der, der, Uint8Array.from(der)].map((each) => {
      const answer = verifier.verify(each, clock.now());
      return answer.ok ? answer.certificate : undefined;
    });
    expect(found[0]).toBeDefined();
    expect(found.every((each) => each === found[0])).toBe(true);
  });
});
