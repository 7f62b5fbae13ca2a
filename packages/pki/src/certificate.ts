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

/** The fields of a certificate that other packages use. Times are in milliseconds since the epoch. */
export interface Certificate extends AlternativeNames {
  readonly der: Uint8Array;
  readonly subject: CertificateSubject;
  readonly issuer: CertificateSubject;
  /** Serial number in hexadecimal. */
  readonly serialNumber: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isCa: boolean;
  /** The number of intermediate CAs that may follow this CA in a chain. Undefined if it is not limited. */
  readonly pathLengthMax: number | undefined;
  /** Object identifiers of critical extensions that this package does not process: such a certificate must not be trusted. */
  readonly unhandledCriticalExtensions: readonly string[];
  /**
   * Undefined if the certificate has no KeyUsage extension. In that case every key usage is allowed. The same applies
   * to `extendedKeyUsages`.
   */
  readonly keyUsages: readonly KeyUsage[] | undefined;
  readonly extendedKeyUsages: readonly KeyUsage[] | undefined;
  readonly publicKey: KeyObject;
}

/** Reject larger inputs before parsing: no certificate in practical use reaches this size. */
const certificateBytesMax = 65_536;
/** Size of the cache of parsed certificates. A starting cluster parses the same few certificates many times. */
const knownMax = 512;
const parsedCertificates = new Map<string, Certificate>();

export function parseCertificate(der: Uint8Array): Certificate {
  if (der.byteLength > certificateBytesMax) throw new TypeError('certificate is too large');
  const text = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('latin1');
  const parsed = parsedCertificates.get(text) ?? parse(Buffer.from(der));
  // The cache is in least recently used order: move the entry that was found to the end.
  parsedCertificates.delete(text);
  parsedCertificates.set(text, parsed);
  if (parsedCertificates.size > knownMax) parsedCertificates.delete(parsedCertificates.keys().next().value ?? '');
  return parsed;
}

function parse(der: Buffer): Certificate {
  try {
    // OpenSSL parses strictly, so let it validate the certificate and read the key. Read the other fields from the DER, because
    // OpenSSL's text form of names is ambiguous.
    const { publicKey } = new X509Certificate(der);
    return { der, publicKey, ...readCertificate(der) };
  } catch (cause) {
    throw new TypeError('not a DER-encoded X.509 certificate', { cause });
  }
}

/** Parses the certificates of a PEM bundle, in order. Skips other blocks; throws on a certificate that does not parse. */
export function parseCertificates(pem: string): Certificate[] {
  return decodePem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => parseCertificate(block.der));
}

export function certificateToPem(certificate: { readonly der: Uint8Array }): string {
  return encodePem('CERTIFICATE', certificate.der);
}

/** Returns the SHA-256 digest of the DER encoding, in hexadecimal. */
export function fingerprintOf(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}

/** Returns `sha256:<hex>` of the public key, as `kubeadm join --discovery-token-ca-cert-hash` expects it. */
export function publicKeyPin(certificate: Certificate): string {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${fingerprintOf(spki)}`;
}
