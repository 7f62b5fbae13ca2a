import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import { decodePem, encodePem } from './pem.js';
import { readCertificate } from './read-certificate.js';
import type { KeyUsage } from './usages.js';

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** What the rest of the program knows of a certificate. Times are milliseconds since the epoch. */
export interface Certificate extends AlternativeNames {
  readonly der: Uint8Array;
  readonly subject: CertificateSubject;
  readonly issuer: CertificateSubject;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** Undefined when the certificate has no such extension, which allows every use. */
  readonly keyUsages: readonly KeyUsage[] | undefined;
  readonly extendedKeyUsages: readonly KeyUsage[] | undefined;
  readonly publicKey: KeyObject;
}

/** Larger inputs are no certificates that anybody uses, and parsing them costs. */
const certificateBytesMax = 65_536;
/** A cluster's few certificates are read again and again while it comes up. */
const knownMax = 512;
const known = new Map<string, Certificate>();

export function parseCertificate(der: Uint8Array): Certificate {
  if (der.byteLength > certificateBytesMax) throw new TypeError('certificate is too large');
  const text = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('latin1');
  const parsed = known.get(text) ?? parse(Buffer.from(der));
  // The one that was asked for last is forgotten last.
  known.delete(text);
  known.set(text, parsed);
  if (known.size > knownMax) known.delete(known.keys().next().value ?? '');
  return parsed;
}

function parse(der: Buffer): Certificate {
  try {
    // Judged and its key read by OpenSSL, which is strict; its texts are ambiguous, so that the fields are read here.
    const { publicKey } = new X509Certificate(der);
    return { der, publicKey, ...readCertificate(der) };
  } catch (cause) {
    throw new TypeError('not a DER-encoded X.509 certificate', { cause });
  }
}

/** The certificates of a PEM bundle, in order. Other blocks are skipped; a block that does not parse throws. */
export function parseCertificates(pem: string): Certificate[] {
  return decodePem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => parseCertificate(block.der));
}

export function certificateToPem(certificate: { readonly der: Uint8Array }): string {
  return encodePem('CERTIFICATE', certificate.der);
}

/** SHA-256 of the DER, hexadecimal. */
export function fingerprintOf(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}

/** `sha256:<hex>` of the public key: what `kubeadm join --discovery-token-ca-cert-hash` compares. */
export function publicKeyPin(certificate: Certificate): string {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${fingerprintOf(spki)}`;
}
