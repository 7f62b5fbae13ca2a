import {
  authorityValidityMsDefault,
  type CertificateAuthority,
  certificateToPem,
  clientTemplate,
  createAuthority,
  generatePrivateKey,
  issueCertificate,
  needsRenewal,
  parseCertificates,
  type PkiWorld,
  privateKeyFromPem,
  privateKeyToPem,
} from '@slipway/base';
import { generateUid } from '@slipway/kube';
import type { DataPlaneUser } from './haproxy-configuration.js';

/** By what the machine and we know each other. */
export interface DataPlaneCredentials extends DataPlaneUser {
  readonly authority: string;
  readonly authorityKey: string;
}

/** By what we know ourselves to the machine. */
export interface DataPlaneIdentity {
  readonly certificate: string;
  readonly key: string;
}

const minuteMs = 60_000;

export async function makeCredentials(world: PkiWorld, name: string): Promise<DataPlaneCredentials> {
  const key = await generatePrivateKey('ECDSA');
  const { certificate } = await createAuthority(world, { commonName: name, key });
  return {
    authority: certificateToPem(certificate),
    authorityKey: privateKeyToPem(key),
    username: generateUid(world.random),
    password: generateUid(world.random),
  };
}

export async function makeIdentity(world: PkiWorld, credentials: DataPlaneCredentials): Promise<DataPlaneIdentity> {
  const key = await generatePrivateKey('ECDSA');
  const template = {
    ...clientTemplate('slipway', [], { validityMs: authorityValidityMsDefault }),
    backdateMs: 10 * minuteMs,
  };
  const certificate = await issueCertificate(world, parseAuthority(credentials), template, key);
  return { certificate: certificateToPem(certificate), key: privateKeyToPem(key) };
}

/** Whether it is still good for what it was made for. */
export function isUsable({ certificate }: Pick<DataPlaneIdentity, 'certificate'>, nowMs: number): boolean {
  const [parsed] = certificate === '' ? [] : parseCertificates(certificate);
  return parsed !== undefined && !needsRenewal(parsed, nowMs);
}

export function parseAuthority({
  authority,
  authorityKey,
}: Pick<DataPlaneCredentials, 'authority' | 'authorityKey'>): CertificateAuthority {
  const [certificate] = parseCertificates(authority);
  if (certificate === undefined) throw new Error('the Secret with the authority of HAProxy has no certificate');
  return { certificate, key: privateKeyFromPem(authorityKey) };
}
