import { isIP } from 'node:net';
import type { KeyObject } from 'node:crypto';
import type { Clock, Random } from '../clock/index.js';
import { type AlternativeNames, type Certificate, parseCertificate } from './certificate.js';
import {
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  encodeCertificate,
  encodeName,
  extendedKeyUsageExtension,
  keyUsageExtension,
  subjectKeyIdentifierExtension,
  subjectNameOf,
  subjectNamesExtension,
} from './encode-certificate.js';
import { type PrivateKey, publicKeyToDer } from './keys.js';
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
  /** Replaces `subject` on the wire where the exact encoding must be kept (signing requests). As DER. */
  readonly subjectName?: Uint8Array;
  readonly usages: readonly KeyUsage[];
  readonly validityMs: number;
  /** How far notBefore lies in the past, for peers whose clocks are slow. */
  readonly backdateMs?: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const backdateMsDefault = 5 * minuteMs;
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
  const subject = template.subjectName ?? encodeName(template.subject);
  const encoded = encodeCertificate(
    {
      serialNumber: createSerialNumber(world.random),
      subject,
      issuer: signer.issuer === undefined ? subject : subjectNameOf(signer.issuer.der),
      notBefore: wholeSeconds(notBefore),
      notAfter: wholeSeconds(notAfter),
      publicKey: spki,
      extensions: extensionsOf(template, spki, signer, subjectKey.asymmetricKeyType === 'rsa'),
    },
    signer.key,
  );
  return parseCertificate(encoded);
}

function extensionsOf(template: CertificateTemplate, spki: Buffer, signer: Signer, isRsa: boolean): Buffer[] {
  // Elliptic-curve keys cannot encipher keys; strict verifiers refuse certificates that claim so.
  const wanted = template.usages.filter((usage) => isRsa || usage !== 'key encipherment');
  const usages = usageExtensions(wanted);
  const extensions: Buffer[] = [];
  if (usages.keyUsage !== 0) extensions.push(keyUsageExtension(usages.keyUsage));
  if (usages.extended.length > 0) extensions.push(extendedKeyUsageExtension(usages.extended));
  extensions.push(basicConstraintsExtension(signer.isAuthority));
  if (signer.isAuthority) extensions.push(subjectKeyIdentifierExtension(spki));
  if (signer.issuer !== undefined)
    extensions.push(authorityKeyIdentifierExtension(publicKeyToDer(signer.issuer.publicKey)));
  const names = subjectNamesExtension(template, subjectIsEmpty(template));
  if (names !== undefined) extensions.push(names);
  return extensions;
}

function subjectIsEmpty(template: CertificateTemplate): boolean {
  return (
    template.subjectName === undefined && template.subject.commonName === '' && !template.subject.organizations?.length
  );
}

function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
