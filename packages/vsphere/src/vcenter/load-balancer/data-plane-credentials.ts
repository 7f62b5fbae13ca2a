import { generateUid } from '@slipway/kube';
import {
  caValidityMsDefault,
  type CertificateAuthority,
  certificateToPem,
  clientTemplate,
  createCa,
  generatePrivateKey,
  issueCertificate,
  needsRenewal,
  parseCertificates,
  type PkiDependencies,
  privateKeyFromPem,
  privateKeyToPem,
} from '@slipway/pki';
import type { DataPlaneUser } from './haproxy-configuration.js';

/** Credentials with which the guest and the controller authenticate each other. */
export interface DataPlaneCredentials extends DataPlaneUser {
  readonly authority: string;
  readonly authorityKey: string;
}

/** Client credentials of the controller. */
export interface DataPlaneIdentity {
  readonly certificate: string;
  readonly key: string;
}

const minuteMs = 60_000;

export async function makeCredentials(dependencies: PkiDependencies, name: string): Promise<DataPlaneCredentials> {
  const key = await generatePrivateKey('ECDSA');
  const { certificate } = await createCa(dependencies, { commonName: name, key });
  return {
    authority: certificateToPem(certificate),
    authorityKey: privateKeyToPem(key),
    username: generateUid(dependencies.random),
    password: generateUid(dependencies.random),
  };
}

export async function makeIdentity(
  dependencies: PkiDependencies,
  credentials: DataPlaneCredentials,
): Promise<DataPlaneIdentity> {
  const key = await generatePrivateKey('ECDSA');
  const template = {
    ...clientTemplate('slipway', [], { validityMs: caValidityMsDefault }),
    backdateMs: 10 * minuteMs,
  };
  const certificate = await issueCertificate(dependencies, parseAuthority(credentials), template, key);
  return { certificate: certificateToPem(certificate), key: privateKeyToPem(key) };
}

/** Returns whether the certificate exists and need not be renewed yet. */
export function isUsable({ certificate }: Pick<DataPlaneIdentity, 'certificate'>, nowMs: number): boolean {
  const [parsed] = certificate === '' ? [] : parseCertificates(certificate);
  return parsed !== undefined && !needsRenewal(parsed, nowMs);
}

export function parseAuthority({
  authority,
  authorityKey,
}: Pick<DataPlaneCredentials, 'authority' | 'authorityKey'>): CertificateAuthority {
  const [certificate] = parseCertificates(authority);
  if (certificate === undefined) throw new Error('the Secret with the CA of HAProxy has no certificate');
  return { certificate, key: privateKeyFromPem(authorityKey) };
}
