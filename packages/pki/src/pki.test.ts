import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom, systemRandom, VirtualClock } from '@slipway/base';
import {
  type CertificateAuthority,
  CertificateVerifier,
  certificateToPem,
  clientTemplate,
  createCa,
  createSigningRequest,
  decodePem,
  encodePem,
  generatePrivateKey,
  issueCertificate,
  keyAlgorithm,
  needsRenewal,
  parseCertificate,
  parseCertificates,
  parseSigningRequest,
  privateKeyToPem,
  publicKeyPin,
  servingTemplate,
  signRequest,
} from './index.js';
import { createSerialNumber } from './issue.js';

const start = Date.UTC(2026, 5, 1, 12, 0, 0, 250);
const clock = new VirtualClock(start);
const dependencies = { clock, random: systemRandom };
const dayMs = 86_400_000;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pki-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function newCa(algorithm: 'ECDSA' | 'RSA' = 'ECDSA', commonName = 'kubernetes'): Promise<CertificateAuthority> {
  return createCa(dependencies, { commonName, key: await generatePrivateKey(algorithm) });
}

describe('issuing certificates', () => {
  it('creates a CA certificate that is valid from five minutes ago, in whole seconds', async () => {
    const { certificate } = await newCa();
    expect(certificate.isCa).toBe(true);
    expect(certificate.keyUsages).toEqual(['digital signature', 'cert sign']);
    expect(certificate.subject).toEqual({ commonName: 'kubernetes', organizations: [] });
    expect(certificate.issuer).toEqual(certificate.subject);
    expect(certificate.notBefore).toBe(Date.UTC(2026, 5, 1, 11, 55, 0));
    expect(certificate.notAfter).toBe(Date.UTC(2026, 5, 1, 12, 0, 0) + 3650 * dayMs);
  });

  it('issues a client certificate with its organizations in the given order', async () => {
    const ca = await newCa();
    const key = await generatePrivateKey('RSA');
    const issued = await issueCertificate(dependencies, ca, clientTemplate('jane', ['zeta', 'alpha', 'a+b, "c"']), key);
    expect(issued.subject).toEqual({ commonName: 'jane', organizations: ['zeta', 'alpha', 'a+b, "c"'] });
    expect(issued.keyUsages).toEqual(['digital signature', 'key encipherment']);
    expect(issued.extendedKeyUsages).toEqual(['client auth']);
    expect(issued.isCa).toBe(false);
    expect(issued.issuer.commonName).toBe('kubernetes');
  });

  it('issues a serving certificate with DNS and IP SANs', async () => {
    const ca = await newCa();
    const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '10.96.0.1'];
    const issued = await issueCertificate(
      dependencies,
      ca,
      servingTemplate('kube-apiserver', hosts),
      await generatePrivateKey('ECDSA'),
    );
    expect(issued.dnsNames).toEqual(['localhost', 'kubernetes.default.svc']);
    expect(issued.ipAddresses).toEqual(['127.0.0.1', '::1', '10.96.0.1']);
    expect(issued.extendedKeyUsages).toEqual(['server auth']);
  });

  it.each([
    ['::', '::'],
    ['fd00:1:0:0:0:0:0:9', 'fd00:1::9'],
    ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1:2:3:4:5'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ])('encodes the IP address %s as %s', async (address, written) => {
    const ca = await newCa();
    const issued = await issueCertificate(dependencies, ca, servingTemplate('s', [address]), ca.key);
    expect(issued.ipAddresses).toEqual([written]);
  });

  it('never issues a certificate that expires after its CA', async () => {
    const key = await generatePrivateKey('ECDSA');
    const ca = await createCa(dependencies, { commonName: 'short', key, validityMs: dayMs });
    const issued = await issueCertificate(dependencies, ca, clientTemplate('u', []), key);
    expect(issued.notAfter).toBe(ca.certificate.notAfter);
    const later = { clock: new VirtualClock(start + 2 * dayMs), random: systemRandom };
    await expect(issueCertificate(later, ca, clientTemplate('u', []), key)).rejects.toThrow('has expired');
  });

  it('requires renewal when less than a third of the validity is left', () => {
    const certificate = { notBefore: 0, notAfter: 90 };
    expect(needsRenewal(certificate, 60)).toBe(false);
    expect(needsRenewal(certificate, 61)).toBe(true);
    expect(needsRenewal(certificate, 1000)).toBe(true);
  });

  it('generates positive serial numbers that depend only on the seed', () => {
    expect(createSerialNumber(seededRandom(1))).toBe(createSerialNumber(seededRandom(1)));
    expect(createSerialNumber(seededRandom(1))).not.toBe(createSerialNumber(seededRandom(2)));
    for (let seed = 0; seed < 100; seed += 1)
      expect(BigInt(`0x${createSerialNumber(seededRandom(seed))}`)).toBeLessThan(2n ** 127n);
  });
});

describe('names in certificates', () => {
  it('encodes names unchanged in certificates and CSRs', async () => {
    const ca = await newCa();
    const key = await generatePrivateKey('ECDSA');
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (commonName, organizations) => {
        const issued = await issueCertificate(dependencies, ca, clientTemplate(commonName, organizations), key);
        expect(issued.subject).toEqual({ commonName, organizations });
        const request = parseSigningRequest(
          await createSigningRequest({ subject: { commonName, organizations } }, key),
        );
        expect(request.subject).toEqual({ commonName, organizations });
        const signed = await signRequest(dependencies, ca, request, { usages: ['client auth'], validityMs: dayMs });
        expect(signed.subject).toEqual({ commonName, organizations });
      }),
      { numRuns: 60 },
    );
  });
});

describe('CSRs', () => {
  it.each(['ECDSA', 'RSA'] as const)('round-trips %s CSRs with names and usages', async (algorithm) => {
    const key = await generatePrivateKey(algorithm);
    const pem = await createSigningRequest(
      {
        subject: { commonName: 'system:node:n1', organizations: ['system:nodes'] },
        dnsNames: ['n1'],
        ipAddresses: ['10.0.0.7'],
        usages: ['digital signature', 'client auth'],
      },
      key,
    );
    const request = parseSigningRequest(pem);
    expect(request.subject).toEqual({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
    expect(request.dnsNames).toEqual(['n1']);
    expect(request.ipAddresses).toEqual(['10.0.0.7']);
    expect(request.requestedUsages).toEqual(['digital signature', 'client auth']);
    expect(request.signatureValid).toBe(true);
    const ca = await newCa(algorithm);
    const issued = await signRequest(dependencies, ca, request, { usages: ['client auth'], validityMs: dayMs });
    expect(issued.subject).toEqual(request.subject);
    expect(issued.extendedKeyUsages).toEqual(['client auth']);
    expect(new CertificateVerifier([ca.certificate]).verify(issued.der, clock.now()).ok).toBe(true);
  });

  it('reports an invalid signature by another key, and rejects other PEM blocks', async () => {
    const pem = await createSigningRequest({ subject: { commonName: 'a' } }, await generatePrivateKey('ECDSA'));
    const der = Buffer.from(decodePem(pem)[0]?.der ?? []);
    const at = der.indexOf('a', der.indexOf(Buffer.from([0x55, 0x04, 0x03])));
    der[at] = 'b'.charCodeAt(0);
    const changed = parseSigningRequest(encodePem('CERTIFICATE REQUEST', der));
    expect(changed.subject.commonName).toBe('b');
    expect(changed.signatureValid).toBe(false);
    const longer = Buffer.concat([decodePem(pem)[0]?.der ?? Buffer.alloc(0), Buffer.from([0x05, 0x00])]);
    expect(() => parseSigningRequest(encodePem('CERTIFICATE REQUEST', longer))).toThrow('malformed');
    expect(() => parseSigningRequest('nothing')).toThrow('PEM block type must be CERTIFICATE REQUEST');
    expect(() => parseSigningRequest(encodePem('CERTIFICATE REQUEST', Buffer.from('x')))).toThrow('malformed');
  });
});

describe('CSRs with keys of other types', () => {
  it('verifies a CSR that is signed with an Ed25519 key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const ca = await newCa();
    const issued = await issueCertificate(dependencies, ca, clientTemplate('u', []), publicKey);
    expect(issued.keyUsages).toEqual(['digital signature']);
    expect(() => keyAlgorithm(privateKey)).toThrow('unsupported key type ed25519');
  });
});

function verdictOf(bytes: Buffer): string {
  try {
    parseCertificate(bytes);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('corrupt certificates', () => {
  it('rejects a certificate with the same error whichever byte is corrupt', async () => {
    const { der } = (await newCa()).certificate;
    const mutation = fc.record({ at: fc.nat({ max: der.length - 1 }), to: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const bytes = Buffer.from(der);
        for (const { at, to } of mutations) bytes[at] = to;
        expect(['accepted', 'not a DER-encoded X.509 certificate']).toContain(verdictOf(bytes));
      }),
    );
    expect(() => parseCertificate(Buffer.concat([der, der]))).toThrow('not a DER-encoded');
  });
});

describe('PEM', () => {
  it('round-trips any bytes and skips text that is not PEM', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = `noise\n${encodePem('X Y', bytes)}-----BEGIN BROKEN-----\n%%\n-----END BROKEN-----\n${encodePem('Z', bytes)}`;
        const blocks = decodePem(text);
        expect(blocks.map((block) => block.label)).toEqual(['X Y', 'Z']);
        expect([...(blocks[1]?.der ?? [])]).toEqual([...bytes]);
      }),
    );
  });

  it('parses a bundle in order', async () => {
    const first = await newCa('ECDSA', 'one');
    const second = await newCa('ECDSA', 'two');
    const bundle = certificateToPem(first.certificate) + certificateToPem(second.certificate);
    expect(parseCertificates(bundle).map((each) => each.subject.commonName)).toEqual(['one', 'two']);
  });
});

describe.runIf(hasOpenssl)('compatibility with openssl', () => {
  it.each(['ECDSA', 'RSA'] as const)(
    'issues a chain of %s keys that openssl verifies with the same names',
    async (algorithm) => {
      const ca = await newCa(algorithm);
      const key = await generatePrivateKey(algorithm);
      const issued = await issueCertificate(dependencies, ca, servingTemplate('web', ['web.example', '10.0.0.9']), key);
      const caFile = join(folder, `${algorithm}-ca.crt`);
      const file = join(folder, `${algorithm}.crt`);
      writeFileSync(caFile, certificateToPem(ca.certificate));
      writeFileSync(file, certificateToPem(issued));
      const at = String(Math.floor(clock.now() / 1000));
      const verified = execFileSync('openssl', ['verify', '-x509_strict', '-attime', at, '-CAfile', caFile, file]);
      expect(verified.toString()).toContain(': OK');
      const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text']).toString();
      expect(text).toContain('DNS:web.example, IP Address:10.0.0.9');
      expect(text).toContain('CN = web');
    },
  );

  it('parses a CSR and a certificate created by openssl', () => {
    const keyFile = join(folder, 'o.key');
    const requestFile = join(folder, 'o.csr');
    execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', keyFile]);
    const subject = '/O=system:nodes/CN=system:node:a';
    execFileSync('openssl', ['req', '-new', '-key', keyFile, '-subj', subject, '-out', requestFile]);
    const pem = execFileSync('openssl', ['req', '-in', requestFile]).toString();
    const request = parseSigningRequest(pem);
    expect(request.subject).toEqual({ commonName: 'system:node:a', organizations: ['system:nodes'] });
    expect(request.signatureValid).toBe(true);
    const made = execFileSync('openssl', ['req', '-x509', '-key', keyFile, '-subj', subject, '-days', '1']).toString();
    expect(parseCertificates(made)[0]?.subject.commonName).toBe('system:node:a');
  });

  it('computes the public key pin like kubeadm', async () => {
    const { certificate } = await newCa();
    const file = join(folder, 'pin.crt');
    writeFileSync(file, certificateToPem(certificate));
    const spki = execFileSync('sh', [
      '-c',
      `openssl x509 -pubkey -noout -in ${file} | openssl pkey -pubin -outform der`,
    ]);
    const digest = execFileSync('openssl', ['dgst', '-sha256', '-hex'], { input: spki }).toString();
    expect(digest).toContain(publicKeyPin(certificate).slice('sha256:'.length));
  });
});

describe('TLS', () => {
  it('completes a mutual TLS handshake in Node with issued certificates', async () => {
    const now = { clock: new VirtualClock(Date.now()), random: systemRandom };
    const ca = await createCa(now, { commonName: 'ca', key: await generatePrivateKey('ECDSA') });
    const serverKey = await generatePrivateKey('RSA');
    const clientKey = await generatePrivateKey('ECDSA');
    const serving = await issueCertificate(now, ca, servingTemplate('localhost', ['localhost']), serverKey);
    const client = await issueCertificate(now, ca, clientTemplate('jane', ['dev']), clientKey);
    const caPem = certificateToPem(ca.certificate);
    const server = createServer({
      key: privateKeyToPem(serverKey),
      cert: certificateToPem(serving),
      ca: caPem,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const seen = new Promise<string>((resolve) => {
      server.on('secureConnection', (socket: TLSSocket) => {
        // Ignore the error of the client closing the connection early.
        socket.on('error', () => undefined);
        resolve(parseCertificate(socket.getPeerCertificate().raw).subject.commonName);
        socket.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ca: caPem,
      key: privateKeyToPem(clientKey, 'traditional'),
      cert: certificateToPem(client),
    });
    socket.on('error', () => undefined);
    expect(await seen).toBe('jane');
    expect(socket.authorized).toBe(true);
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
