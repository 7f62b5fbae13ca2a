import 'reflect-metadata';
import {
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsagesExtension,
  Name,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { AlternativeNames, Certificate, CertificateSubject } from './certificate.js';
import { readDer, readObjectIdentifier } from './der.js';
import { type CertificateAuthority, issueCertificate, type PkiDependencies } from './issue.js';
import { type PrivateKey, signingAlgorithm } from './keys.js';
import { decodePem, encodePem } from './pem.js';
import { keyPairHandle, signingCrypto } from './signing-crypto.js';
import { extendedUsageNames, type KeyUsage, keyUsageNames, usageExtensions } from './usages.js';

/** A parsed PKCS#10 CSR. */
export interface SigningRequest extends AlternativeNames {
  readonly der: Uint8Array;
  readonly subject: CertificateSubject;
  /** The subject in its original DER encoding. */
  readonly subjectName: Uint8Array;
  /** The usages that the CSR requests. Kubernetes takes usages from the API object instead. */
  readonly requestedUsages: readonly KeyUsage[];
  readonly publicKey: KeyObject;
  /** Whether the CSR is signed with the key that it contains. */
  readonly signatureValid: boolean;
}

export interface SigningRequestTemplate extends Partial<AlternativeNames> {
  readonly subject: { readonly commonName: string; readonly organizations?: readonly string[] };
  readonly usages?: readonly KeyUsage[];
}

const requestLabel = 'CERTIFICATE REQUEST';
const requestBytesMax = 65_536;

export async function createSigningRequest(template: SigningRequestTemplate, key: PrivateKey): Promise<string> {
  const usages = usageExtensions(template.usages ?? []);
  const extensions: Extension[] = [];
  if (usages.keyUsage !== 0) extensions.push(new KeyUsagesExtension(usages.keyUsage, true));
  if (usages.extended.length > 0) extensions.push(new ExtendedKeyUsageExtension(usages.extended));
  const names = alternativeNamesExtension(template);
  if (names !== undefined) extensions.push(names);
  const parameters = {
    name: toName(template.subject),
    keys: keyPairHandle(key),
    signingAlgorithm: signingAlgorithm(key),
    ...(extensions.length > 0 ? { extensions } : {}),
  };
  const request = await Pkcs10CertificateRequestGenerator.create(parameters, signingCrypto);
  return encodePem(requestLabel, new Uint8Array(request.rawData));
}

/** Parses the first PEM block of `pem`, which must be a CSR. */
export function parseSigningRequest(pem: string): SigningRequest {
  const block = decodePem(pem)[0];
  if (block === undefined || block.label !== requestLabel)
    throw new TypeError(`PEM block type must be ${requestLabel}`);
  if (block.der.byteLength > requestBytesMax) throw new TypeError('certificate request is too large');
  const der = Buffer.from(block.der);
  try {
    const parsed = new Pkcs10CertificateRequest(der);
    const publicKey = createPublicKey({ key: Buffer.from(parsed.publicKey.rawData), format: 'der', type: 'spki' });
    const usages = usagesOf(parsed.extensions);
    return {
      der,
      subject: subjectOf(parsed.subjectName),
      subjectName: new Uint8Array(parsed.subjectName.toArrayBuffer()),
      ...alternativeNamesOf(parsed.extensions),
      requestedUsages: [...(usages.keyUsages ?? []), ...(usages.extendedKeyUsages ?? [])],
      publicKey,
      signatureValid: isSignedBy(der, publicKey),
    };
  } catch (cause) {
    throw new TypeError('malformed certificate request', { cause });
  }
}

interface SignatureAlgorithm {
  readonly keyType: string;
  /** Hash function; null if the key type implies it. */
  readonly hash: string | null;
}

/** The signature algorithms that Go verifies, except RSA-PSS, which no Kubernetes client uses. */
const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.5': { keyType: 'rsa', hash: 'sha1' },
  '1.2.840.113549.1.1.11': { keyType: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { keyType: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { keyType: 'rsa', hash: 'sha512' },
  '1.2.840.10045.4.1': { keyType: 'ec', hash: 'sha1' },
  '1.2.840.10045.4.3.2': { keyType: 'ec', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { keyType: 'ec', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { keyType: 'ec', hash: 'sha512' },
  '1.3.101.112': { keyType: 'ed25519', hash: null },
};

const tags = { bitString: 0x03, null: 0x05, objectIdentifier: 0x06, sequence: 0x30 } as const;

/**
 * Verifies the signature of a CSR. Does not use WebCrypto, whose verify is asynchronous, because API validation is synchronous.
 * The signature covers only the CertificationRequestInfo, so the encoding around it must be exact.
 */
function isSignedBy(der: Buffer, publicKey: KeyObject): boolean {
  const [request, ...rest] = readDer(der);
  if (request?.tag !== tags.sequence || rest.length > 0) throw new TypeError('trailing data');
  const [information, algorithm, signature, ...more] = readDer(request.content);
  if (information === undefined || algorithm?.tag !== tags.sequence || more.length > 0) return false;
  const known = algorithmOf(algorithm.content);
  if (known === undefined || known.keyType !== publicKey.asymmetricKeyType) return false;
  // The first content byte of a BIT STRING is the number of unused bits.
  if (signature?.tag !== tags.bitString || signature.content[0] !== 0) return false;
  return verify(known.hash, information.whole, publicKey, signature.content.subarray(1));
}

function algorithmOf(identifier: Buffer): SignatureAlgorithm | undefined {
  const [name, parameters, ...more] = readDer(identifier);
  if (name?.tag !== tags.objectIdentifier || more.length > 0) return undefined;
  const known = signatureAlgorithms[readObjectIdentifier(name.content)];
  // The parameters of RSA algorithms are NULL or absent; other algorithms have no parameters.
  const isNull = known?.keyType === 'rsa' && parameters?.tag === tags.null && parameters.content.length === 0;
  return parameters === undefined || isNull ? known : undefined;
}

/** Issues a certificate with subject, SANs and key of the CSR, and with the usages and the validity that the caller passes. */
export function signRequest(
  dependencies: PkiDependencies,
  ca: CertificateAuthority,
  request: SigningRequest,
  options: { readonly usages: readonly KeyUsage[]; readonly validityMs: number; readonly backdateMs?: number },
): Promise<Certificate> {
  return issueCertificate(
    dependencies,
    ca,
    {
      subject: request.subject,
      subjectName: request.subjectName,
      dnsNames: request.dnsNames,
      ipAddresses: request.ipAddresses,
      emailAddresses: request.emailAddresses,
      uris: request.uris,
      ...options,
    },
    request.publicKey,
  );
}

function alternativeNamesExtension(names: Partial<AlternativeNames>): SubjectAlternativeNameExtension | undefined {
  const items = [
    ...(names.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(names.emailAddresses ?? []).map((value) => ({ type: 'email' as const, value })),
    ...(names.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(names.uris ?? []).map((value) => ({ type: 'url' as const, value })),
  ];
  return items.length === 0 ? undefined : new SubjectAlternativeNameExtension(items);
}

function toName(subject: Partial<CertificateSubject> & { readonly commonName: string }): Name {
  const parts = (subject.organizations ?? []).map((organization) => ({ O: [toAttribute(organization)] }) as NamePart);
  if (subject.commonName !== '') parts.push({ CN: [toAttribute(subject.commonName)] });
  return new Name(parts);
}

type NamePart = Record<string, { utf8String?: string; printableString?: string }[]>;

/**
 * Encodes the value with an explicit string type. The library would unescape a plain string and take a quoted part for the whole
 * value.
 */
function toAttribute(value: string): { utf8String?: string; printableString?: string } {
  return Name.isPrintableString(value) ? { printableString: value } : { utf8String: value };
}

function subjectOf(name: Name): CertificateSubject {
  // Like Go, use the last CN if there are several.
  return { commonName: name.getField('CN').at(-1) ?? '', organizations: name.getField('O') };
}

function alternativeNamesOf(extensions: readonly Extension[]): AlternativeNames {
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

function usagesOf(extensions: readonly Extension[]): {
  keyUsages: readonly KeyUsage[] | undefined;
  extendedKeyUsages: readonly KeyUsage[] | undefined;
} {
  const key = extensions.find((extension) => extension instanceof KeyUsagesExtension);
  const extended = extensions.find((extension) => extension instanceof ExtendedKeyUsageExtension);
  return {
    keyUsages: key === undefined ? undefined : keyUsageNames(key.usages),
    extendedKeyUsages: extended === undefined ? undefined : extendedUsageNames(extended.usages.map(String)),
  };
}
