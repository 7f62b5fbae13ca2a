import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { der, objectIdentifier, readDer } from './der.js';
import { createSigningRequest, decodePem, encodePem, generatePrivateKey, parseSigningRequest } from './index.js';

/** Bytes before the signature value: its algorithm and the header of its encoding. */
const headBytes = 20;
/** Test every seventh byte of the signature only: the signature is long, and all of its bits are equally significant. */
const signatureStep = 7;

describe.each(['RSA', 'ECDSA'] as const)('the signature of a %s CSR', (algorithm) => {
  it('rejects a CSR if a bit outside of the signed part is flipped', async () => {
    const pem = await createSigningRequest({ subject: { commonName: 'a' } }, await generatePrivateKey(algorithm));
    const whole = Buffer.from(decodePem(pem)[0]?.der ?? []);
    const [request] = readDer(whole);
    const [information] = readDer(request?.content ?? Buffer.alloc(0));
    const start = whole.length - (request?.content.length ?? 0);
    const end = start + (information?.whole.length ?? 0);
    const valid: string[] = [];
    const head = end + headBytes;
    for (let at = 0; at < whole.length; at += at < head ? 1 : signatureStep) {
      if (at >= start && at < end) continue;
      for (const bit of at < head ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        if (isAccepted(changed)) valid.push(`bit ${bit} of byte ${at}`);
      }
    }
    expect(valid).toEqual([]);
    expect(isAccepted(whole)).toBe(true);
  });
});

function isAccepted(request: Buffer): boolean {
  try {
    return parseSigningRequest(encodePem('CERTIFICATE REQUEST', request)).signatureValid;
  } catch {
    return false;
  }
}

// These CSRs have an Ed25519 key and signature. Only the signature algorithm that they name differs.
describe('the signature algorithm of a CSR', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');

  async function signedAs(identifier: string): Promise<Buffer> {
    const pem = await createSigningRequest({ subject: { commonName: 'a' } }, await generatePrivateKey('ECDSA'));
    const [request] = readDer(Buffer.from(decodePem(pem)[0]?.der ?? []));
    const [information] = readDer(request?.content ?? Buffer.alloc(0));
    const [version, subject, , attributes] = readDer(information?.content ?? Buffer.alloc(0));
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const nothing = Buffer.alloc(0);
    const own = der(0x30, version?.whole ?? nothing, subject?.whole ?? nothing, spki, attributes?.whole ?? nothing);
    const signature = Buffer.concat([Buffer.from([0]), sign(null, own, privateKey)]);
    return der(0x30, own, der(0x30, objectIdentifier(identifier)), der(0x03, signature));
  }

  it('rejects a CSR whose signature algorithm does not match its key', async () => {
    expect(isAccepted(await signedAs('1.3.101.112'))).toBe(true);
    expect(isAccepted(await signedAs('1.2.840.10045.4.3.2'))).toBe(false);
    expect(isAccepted(await signedAs('1.2.3.4'))).toBe(false);
  });
});
