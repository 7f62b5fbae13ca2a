import 'reflect-metadata';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyObject } from 'node:crypto';
import type { Clock, Random } from '../clock/index.js';
import { type AlternativeNames, type Certificate, parseCertificate, type CertificateSubject } from './certificate.js';
import { type PrivateKey, publicKeyToDer, signingAlgorithm } from './keys.js';
import { keyPairHandle, signingCrypto } from './signing-crypto.js';
import { type KeyUsage, usageExtensions } from './usages.js';

/** Time and chance of issuing: serial numbers and validity come from here, so that simulations repeat. */
export interface PkiWorld {
  readonly clock: Clock;
  readonly random: Random;
}

export interface CertificateAuthority {
  readonly certificate: Certificate;
  readonly key: PrivateKey;
}

export interface CertificateAndKey {
  readonly certificate: Certificate;
  readonly key: PrivateKey;
}

export interface CertificateTemplate extends Partial<AlternativeNames> {
  readonly subject: { readonly commonName: string; readonly organizations?: readonly string[] };
  /** Replaces `subject` on the wire where the exact encoding must be kept (signing requests). */
  readonly subjectName?: Name;
  readonly usages: readonly KeyUsage[];
  readonly validityMs: number;
  /** How far notBefore lies in the past, for peers whose clocks are slow. */
  readonly backdateMs?: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
export const backdateMsDefault = 5 * minuteMs;
export const authorityValidityMsDefault = 3650 * dayMs;
export const certificateValidityMsDefault = 365 * dayMs;

/** A self-signed certificate authority. */
export async function createAuthority(
  world: PkiWorld,
  options: { readonly commonName: string; readonly key: PrivateKey; readonly validityMs?: number },
): Promise<CertificateAuthority> {
  const template: CertificateTemplate = {
    subject: { commonName: options.commonName },
    dnsNames: [options.commonName],
    usages: ['digital signature', 'key encipherment', 'cert sign'],
    validityMs: options.validityMs ?? authorityValidityMsDefault,
  };
  const certificate = await sign(world, template, options.key, { key: options.key, isAuthority: true });
  return { certificate, key: options.key };
}

/** A certificate for `publicKey`, signed by `authority`; it never outlives the authority. */
export function issueCertificate(
  world: PkiWorld,
  authority: CertificateAuthority,
  template: CertificateTemplate,
  publicKey: KeyObject,
): Promise<Certificate> {
  return sign(world, template, publicKey, { key: authority.key, issuer: authority.certificate, isAuthority: false });
}

export function selfSign(world: PkiWorld, template: CertificateTemplate, key: PrivateKey): Promise<Certificate> {
  return sign(world, template, key, { key, isAuthority: false });
}

/** The same names and uses for a new span of time. The subject's key stays unless another is given. */
export function renewCertificate(
  world: PkiWorld,
  authority: CertificateAuthority,
  certificate: Certificate,
  options: { readonly publicKey?: KeyObject; readonly validityMs?: number } = {},
): Promise<Certificate> {
  const template: CertificateTemplate = {
    subject: certificate.subject,
    subjectName: new X509Certificate(Buffer.from(certificate.der)).subjectName,
    dnsNames: certificate.dnsNames,
    ipAddresses: certificate.ipAddresses,
    emailAddresses: certificate.emailAddresses,
    uris: certificate.uris,
    usages: [...(certificate.keyUsages ?? []), ...(certificate.extendedKeyUsages ?? [])],
    validityMs: options.validityMs ?? certificate.notAfter - certificate.notBefore - backdateMsDefault,
  };
  return issueCertificate(world, authority, template, options.publicKey ?? certificate.publicKey);
}

/** A serving certificate has SANs for every name; what looks like an address becomes an IP SAN. */
export function servingTemplate(
  commonName: string,
  hosts: readonly string[],
  options: { readonly organizations?: readonly string[]; readonly validityMs?: number } = {},
): CertificateTemplate {
  return {
    subject: { commonName, organizations: options.organizations ?? [] },
    dnsNames: hosts.filter((host) => isIP(host) === 0),
    ipAddresses: hosts.filter((host) => isIP(host) !== 0),
    usages: ['digital signature', 'key encipherment', 'server auth'],
    validityMs: options.validityMs ?? certificateValidityMsDefault,
  };
}

/** A client certificate: Kubernetes reads CN as the user and each O as a group. */
export function clientTemplate(
  user: string,
  groups: readonly string[],
  options: { readonly validityMs?: number } = {},
): CertificateTemplate {
  return {
    subject: { commonName: user, organizations: groups },
    usages: ['digital signature', 'key encipherment', 'client auth'],
    validityMs: options.validityMs ?? certificateValidityMsDefault,
  };
}

/** 127 random bits: positive, and never zero. */
export function createSerialNumber(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** True when less than a third of the certificate's life is left. */
export function needsRenewal(
  certificate: { readonly notBefore: number; readonly notAfter: number },
  now: number,
): boolean {
  return certificate.notAfter - now < (certificate.notAfter - certificate.notBefore) / 3;
}

interface Signer {
  readonly key: PrivateKey;
  readonly issuer?: Certificate;
  readonly isAuthority: boolean;
}

async function sign(
  world: PkiWorld,
  template: CertificateTemplate,
  subjectKey: KeyObject,
  signer: Signer,
): Promise<Certificate> {
  const now = world.clock.now();
  const notBefore = now - (template.backdateMs ?? backdateMsDefault);
  const notAfter = Math.min(now + template.validityMs, signer.issuer?.notAfter ?? Number.POSITIVE_INFINITY);
  if (notAfter <= notBefore) throw new RangeError('the signing authority has expired');
  const spki = publicKeyToDer(subjectKey);
  const subject = template.subjectName ?? toName(template.subject);
  const issuer =
    signer.issuer === undefined ? subject : new X509Certificate(Buffer.from(signer.issuer.der)).subjectName;
  const request = {
    serialNumber: createSerialNumber(world.random),
    subject,
    issuer,
    notBefore: wholeSeconds(notBefore),
    notAfter: wholeSeconds(notAfter),
    publicKey: spki,
    signingKey: keyPairHandle(signer.key).privateKey,
    signingAlgorithm: signingAlgorithm(signer.key),
    extensions: await extensionsOf(template, spki, signer, subjectKey.asymmetricKeyType === 'rsa'),
  };
  const issued = await X509CertificateGenerator.create(request, signingCrypto);
  return parseCertificate(new Uint8Array(issued.rawData));
}

async function extensionsOf(
  template: CertificateTemplate,
  spki: Buffer,
  signer: Signer,
  isRsa: boolean,
): Promise<Extension[]> {
  // Elliptic-curve keys cannot encipher keys; strict verifiers refuse certificates that claim so.
  const wanted = template.usages.filter((usage) => isRsa || usage !== 'key encipherment');
  const usages = usageExtensions(wanted);
  const extensions: Extension[] = [];
  if (usages.keyUsage !== 0) extensions.push(new KeyUsagesExtension(usages.keyUsage, true));
  if (usages.extended.length > 0) extensions.push(new ExtendedKeyUsageExtension(usages.extended, false));
  extensions.push(new BasicConstraintsExtension(signer.isAuthority, undefined, true));
  if (signer.isAuthority) extensions.push(await SubjectKeyIdentifierExtension.create(spki, false, signingCrypto));
  if (signer.issuer !== undefined) {
    const issuerKey = publicKeyToDer(signer.issuer.publicKey);
    extensions.push(await AuthorityKeyIdentifierExtension.create(issuerKey, false, signingCrypto));
  }
  const names = alternativeNamesExtension(template, subjectIsEmpty(template));
  if (names !== undefined) extensions.push(names);
  return extensions;
}

function subjectIsEmpty(template: CertificateTemplate): boolean {
  return (
    template.subjectName === undefined && template.subject.commonName === '' && !template.subject.organizations?.length
  );
}

export function alternativeNamesExtension(
  names: Partial<AlternativeNames>,
  critical = false,
): SubjectAlternativeNameExtension | undefined {
  const items = [
    ...(names.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(names.emailAddresses ?? []).map((value) => ({ type: 'email' as const, value })),
    ...(names.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(names.uris ?? []).map((value) => ({ type: 'url' as const, value })),
  ];
  return items.length === 0 ? undefined : new SubjectAlternativeNameExtension(items, critical);
}

export function toName(subject: Partial<CertificateSubject> & { readonly commonName: string }): Name {
  const parts = (subject.organizations ?? []).map((organization) => ({ O: [toAttribute(organization)] }) as NamePart);
  if (subject.commonName !== '') parts.push({ CN: [toAttribute(subject.commonName)] });
  return new Name(parts);
}

type NamePart = Record<string, { utf8String?: string; printableString?: string }[]>;

/** The typed form, because the library unescapes plain strings: a quoted part would replace the whole value. */
function toAttribute(value: string): { utf8String?: string; printableString?: string } {
  return Name.isPrintableString(value) ? { printableString: value } : { utf8String: value };
}

function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
