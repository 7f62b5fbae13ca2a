import { isIP } from 'node:net';
import type { KeyObject } from 'node:crypto';
import type { Clock, Random } from '@slipway/base';
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

/** The clock for validity periods and the random source for serial numbers. A simulation passes its own to be repeatable. */
export interface PkiDependencies {
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
  /** DER encoding of the subject. Replaces `subject` if the exact encoding must be kept, as for a CSR. */
  readonly subjectName?: Uint8Array;
  readonly usages: readonly KeyUsage[];
  readonly validityMs: number;
  /** How far notBefore is set into the past, for peers whose clocks are behind. */
  readonly backdateMs?: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const backdateMsDefault = 5 * minuteMs;
export const caValidityMsDefault = 3650 * dayMs;
export const certificateValidityMsDefault = 365 * dayMs;

/** Creates a self-signed CA. */
export async function createCa(
  dependencies: PkiDependencies,
  options: { readonly commonName: string; readonly key: PrivateKey; readonly validityMs?: number },
): Promise<CertificateAuthority> {
  const template: CertificateTemplate = {
    subject: { commonName: options.commonName },
    dnsNames: [options.commonName],
    usages: ['digital signature', 'key encipherment', 'cert sign'],
    validityMs: options.validityMs ?? caValidityMsDefault,
  };
  const certificate = await sign(dependencies, template, options.key, { key: options.key, isCa: true });
  return { certificate, key: options.key };
}

/** Issues a certificate for `publicKey`, signed by `ca`. The certificate never expires later than the CA. */
export function issueCertificate(
  dependencies: PkiDependencies,
  ca: CertificateAuthority,
  template: CertificateTemplate,
  publicKey: KeyObject,
): Promise<Certificate> {
  return sign(dependencies, template, publicKey, { key: ca.key, issuer: ca.certificate, isCa: false });
}

export function selfSign(
  dependencies: PkiDependencies,
  template: CertificateTemplate,
  key: PrivateKey,
): Promise<Certificate> {
  return sign(dependencies, template, key, { key, isCa: false });
}

/** Returns the template of a serving certificate. Every host becomes a SAN; IP addresses become IP SANs. */
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

/** Returns the template of a client certificate. Kubernetes reads CN as the user name and each O as a group. */
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

/** Returns a random 127-bit serial number: positive and never zero. */
export function createSerialNumber(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** Whether less than a third of the certificate's validity period is left. */
export function needsRenewal(
  certificate: { readonly notBefore: number; readonly notAfter: number },
  now: number,
): boolean {
  return certificate.notAfter - now < (certificate.notAfter - certificate.notBefore) / 3;
}

interface Signer {
  readonly key: PrivateKey;
  readonly issuer?: Certificate;
  readonly isCa: boolean;
}

async function sign(
  dependencies: PkiDependencies,
  template: CertificateTemplate,
  subjectKey: KeyObject,
  signer: Signer,
): Promise<Certificate> {
  const now = dependencies.clock.now();
  const notBefore = now - (template.backdateMs ?? backdateMsDefault);
  const notAfter = Math.min(now + template.validityMs, signer.issuer?.notAfter ?? Number.POSITIVE_INFINITY);
  if (notAfter <= notBefore) throw new RangeError('the signing CA has expired');
  const spki = publicKeyToDer(subjectKey);
  const subject = template.subjectName ?? encodeName(template.subject);
  const encoded = encodeCertificate(
    {
      serialNumber: createSerialNumber(dependencies.random),
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
  // EC keys do not support key encipherment, and strict verifiers reject EC certificates with this usage.
  const usages = usageExtensions(template.usages.filter((usage) => isRsa || usage !== 'key encipherment'));
  const extensions: Buffer[] = [];
  if (usages.keyUsage !== 0) extensions.push(keyUsageExtension(usages.keyUsage));
  if (usages.extended.length > 0) extensions.push(extendedKeyUsageExtension(usages.extended));
  extensions.push(basicConstraintsExtension(signer.isCa));
  if (signer.isCa) extensions.push(subjectKeyIdentifierExtension(spki));
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
