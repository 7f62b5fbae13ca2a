import 'reflect-metadata';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsagesExtension,
  type Name,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from '@peculiar/x509';
import { decodePem, encodePem } from './pem.js';
import { extendedUsageNames, keyUsageNames, type Usage } from './usages.js';

export interface Subject {
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
  readonly subject: Subject;
  /** The whole subject and issuer as RFC 2253 text. */
  readonly subjectText: string;
  readonly issuerText: string;
  readonly issuer: Subject;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** Undefined when the certificate has no such extension, which allows every use. */
  readonly keyUsages: readonly Usage[] | undefined;
  readonly extendedKeyUsages: readonly Usage[] | undefined;
  readonly publicKey: KeyObject;
}

/** Larger inputs are no certificates that anybody uses, and parsing them costs. */
const certificateBytesMax = 65_536;

export function parseCertificate(der: Uint8Array): Certificate {
  if (der.byteLength > certificateBytesMax) throw new TypeError('certificate is too large');
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
  try {
    const parsed = new X509Certificate(bytes);
    return {
      der: bytes,
      subject: subjectOf(parsed.subjectName),
      subjectText: parsed.subject,
      issuer: subjectOf(parsed.issuerName),
      issuerText: parsed.issuer,
      serialNumber: parsed.serialNumber,
      notBefore: parsed.notBefore.getTime(),
      notAfter: parsed.notAfter.getTime(),
      isAuthority: isAuthority(parsed.extensions),
      ...alternativeNamesOf(parsed.extensions),
      ...usagesOf(parsed.extensions),
      publicKey: createPublicKey({ key: Buffer.from(parsed.publicKey.rawData), format: 'der', type: 'spki' }),
    };
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

export function subjectOf(name: Name): Subject {
  // As Go reads names: where CN stands several times, the last one counts.
  return { commonName: name.getField('CN').at(-1) ?? '', organizations: name.getField('O') };
}

function isAuthority(extensions: readonly Extension[]): boolean {
  return extensions.some((extension) => extension instanceof BasicConstraintsExtension && extension.ca);
}

export function alternativeNamesOf(extensions: readonly Extension[]): AlternativeNames {
  const names = {
    dnsNames: [] as string[],
    ipAddresses: [] as string[],
    emailAddresses: [] as string[],
    uris: [] as string[],
  };
  const lists: Partial<Record<string, string[]>> = {
    dns: names.dnsNames,
    ip: names.ipAddresses,
    email: names.emailAddresses,
    url: names.uris,
  };
  for (const extension of extensions) {
    if (!(extension instanceof SubjectAlternativeNameExtension)) continue;
    for (const name of extension.names.items) lists[name.type]?.push(name.value);
  }
  return names;
}

export function usagesOf(extensions: readonly Extension[]): {
  keyUsages: readonly Usage[] | undefined;
  extendedKeyUsages: readonly Usage[] | undefined;
} {
  const key = extensions.find((extension) => extension instanceof KeyUsagesExtension);
  const extended = extensions.find((extension) => extension instanceof ExtendedKeyUsageExtension);
  return {
    keyUsages: key === undefined ? undefined : keyUsageNames(key.usages),
    extendedKeyUsages: extended === undefined ? undefined : extendedUsageNames(extended.usages.map(String)),
  };
}
