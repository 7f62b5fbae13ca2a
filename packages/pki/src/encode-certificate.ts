import { createHash, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { AlternativeNames, CertificateSubject } from './certificate.js';
import { der, objectIdentifier, readDer } from './der.js';
import { type PrivateKey, signingAlgorithm } from './keys.js';

// This encoder is hand-written, because a general ASN.1 library takes ten times as long and every cluster needs half a dozen
// certificates.

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
} as const;

const truth = der(tags.boolean, Buffer.from([0xff]));
const organization = objectIdentifier('2.5.4.10');
const commonName = objectIdentifier('2.5.4.3');

export interface CertificateContent {
  /** Hexadecimal. The highest bit must not be set. */
  readonly serialNumber: string;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** DER of the SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

/** Encodes the certificate and signs it with `key`. */
export function encodeCertificate(content: CertificateContent, key: PrivateKey): Buffer {
  const algorithm = signatureAlgorithm(key);
  const body = der(
    tags.sequence,
    der(tags.version, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from(content.serialNumber, 'hex')),
    algorithm,
    content.issuer,
    der(tags.sequence, encodeTime(content.notBefore), encodeTime(content.notAfter)),
    content.subject,
    content.publicKey,
    der(tags.extensions, der(tags.sequence, ...content.extensions)),
  );
  return der(tags.sequence, body, algorithm, bitString(sign(hashOf(key), body, key)));
}

/** Returns the DER encoding of the certificate's subject. */
export function subjectNameOf(certificate: Uint8Array): Uint8Array {
  const [whole] = readDer(Buffer.from(certificate));
  const [body] = readDer(whole?.content ?? Buffer.alloc(0));
  const parts = readDer(body?.content ?? Buffer.alloc(0));
  // A version 1 certificate omits the version field.
  const subject = parts[parts[0]?.tag === tags.version ? 5 : 4];
  if (subject === undefined) throw new TypeError('not a DER-encoded X.509 certificate');
  return subject.whole;
}

export function encodeName(subject: Partial<CertificateSubject> & { readonly commonName: string }): Buffer {
  const parts = (subject.organizations ?? []).map((name) => encodeAttribute(organization, name));
  if (subject.commonName !== '') parts.push(encodeAttribute(commonName, subject.commonName));
  return der(tags.sequence, ...parts);
}

function encodeAttribute(type: Uint8Array, value: string): Buffer {
  const tag = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? tags.printableString : tags.utf8String;
  return der(tags.set, der(tags.sequence, type, der(tag, Buffer.from(value))));
}

export function keyUsageExtension(bits: number): Buffer {
  // In the bit string, the first usage is the highest bit of the first octet.
  const octets = [reversed(bits & 0xff), reversed(bits >>> 8)];
  if (octets[1] === 0) octets.pop();
  const last = octets.at(-1) ?? 0;
  const unused = last === 0 ? 0 : 31 - Math.clz32(last & -last);
  return extension('2.5.29.15', true, der(tags.bitString, Buffer.from([unused, ...octets])));
}

function reversed(octet: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((octet & (1 << bit)) !== 0) result |= 0x80 >>> bit;
  return result;
}

export function extendedKeyUsageExtension(purposes: readonly string[]): Buffer {
  return extension('2.5.29.37', false, der(tags.sequence, ...purposes.map(objectIdentifier)));
}

export function basicConstraintsExtension(isCa: boolean): Buffer {
  return extension('2.5.29.19', true, der(tags.sequence, ...(isCa ? [truth] : [])));
}

export function subjectKeyIdentifierExtension(publicKey: Uint8Array): Buffer {
  return extension('2.5.29.14', false, der(tags.octetString, keyIdentifier(publicKey)));
}

export function authorityKeyIdentifierExtension(publicKey: Uint8Array): Buffer {
  return extension('2.5.29.35', false, der(tags.sequence, der(0x80, keyIdentifier(publicKey))));
}

/** Encodes the SubjectAltName extension. Returns undefined if there are no names. */
export function subjectNamesExtension(names: Partial<AlternativeNames>, critical: boolean): Buffer | undefined {
  const encoded = [
    ...(names.dnsNames ?? []).map((name) => der(0x82, Buffer.from(name, 'latin1'))),
    ...(names.emailAddresses ?? []).map((name) => der(0x81, Buffer.from(name, 'latin1'))),
    ...(names.ipAddresses ?? []).map((address) => der(0x87, addressOctets(address))),
    ...(names.uris ?? []).map((name) => der(0x86, Buffer.from(name, 'latin1'))),
  ];
  return encoded.length === 0 ? undefined : extension('2.5.29.17', critical, der(tags.sequence, ...encoded));
}

function addressOctets(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser converts an IPv6 address to its canonical form, without a dotted IPv4 suffix.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >>> 8, Number.parseInt(group, 16) & 0xff]));
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  const flag = critical ? [truth] : [];
  return der(tags.sequence, objectIdentifier(id), ...flag, der(tags.octetString, value));
}

/** Computes the key identifier by method (1) of RFC 5280, section 4.2.1.2. */
function keyIdentifier(publicKey: Uint8Array): Buffer {
  const [whole] = readDer(Buffer.from(publicKey));
  const bits = readDer(whole?.content ?? Buffer.alloc(0))
    .at(1)
    ?.content.subarray(1);
  return createHash('sha1')
    .update(bits ?? Buffer.alloc(0))
    .digest();
}

function bitString(content: Uint8Array): Buffer {
  return der(tags.bitString, Buffer.from([0]), content);
}

/** Encodes a time as RFC 5280, section 4.1.2.5 requires: years through 2049 have two digits. */
function encodeTime(time: Date): Buffer {
  const digits = `${time.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  const year = time.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? der(tags.utcTime, Buffer.from(digits.slice(2)))
    : der(tags.generalizedTime, Buffer.from(digits));
}

function hashOf(key: KeyObject): string {
  return signingAlgorithm(key).hash.replace('-', '').toLowerCase();
}

function signatureAlgorithm(key: KeyObject): Buffer {
  const { name, hash } = signingAlgorithm(key);
  if (name !== 'ECDSA') return der(tags.sequence, objectIdentifier('1.2.840.113549.1.1.11'), der(tags.null));
  const last = { 'SHA-256': 2, 'SHA-384': 3, 'SHA-512': 4 }[hash];
  return der(tags.sequence, objectIdentifier(`1.2.840.10045.4.3.${last ?? 2}`));
}
