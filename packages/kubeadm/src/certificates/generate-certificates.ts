import {
  certificateToPem,
  createAuthority,
  generatePrivateKeyOf,
  type KeySource,
  type KeyStrength,
  type PkiWorld,
  type PrivateKey,
  privateKeyToPem,
  publicKeyToPem,
} from '@slipway/base';
import type { CertificateSet, ClusterCertificate, KeyPair } from './certificate-set.js';

export interface CertificateDependencies extends PkiWorld {
  /** Keys of the default kind come from here, where they may have been made beforehand. */
  readonly keys: KeySource;
  /** Tells when nobody waits for keys any longer. */
  readonly signal?: AbortSignal;
}

const dayMs = 86_400_000;
const validityDaysDefault = 3650;

/** The set with a new key pair in every open place; what an external etcd needs is the user's to bring. */
export async function generateCertificates(
  set: CertificateSet,
  dependencies: CertificateDependencies,
): Promise<CertificateSet> {
  return Promise.all(
    set.map(async (certificate) =>
      certificate.keyPair !== undefined || certificate.isExternal
        ? certificate
        : { ...certificate, keyPair: await generateKeyPair(certificate, dependencies), isGenerated: true },
    ),
  );
}

async function generateKeyPair(
  certificate: ClusterCertificate,
  dependencies: CertificateDependencies,
): Promise<KeyPair> {
  const key = await newKey(dependencies, certificate.strength);
  const keyPem = privateKeyToPem(key, 'traditional');
  if (certificate.purpose === 'sa') return { certificate: publicKeyToPem(key), key: keyPem };
  const authority = await createAuthority(dependencies, {
    commonName: 'kubernetes',
    key,
    validityMs: (certificate.validityDays ?? validityDaysDefault) * dayMs,
  });
  return { certificate: certificateToPem(authority.certificate), key: keyPem };
}

export function newKey(
  { keys, signal }: Pick<CertificateDependencies, 'keys' | 'signal'>,
  strength: KeyStrength = 'RSA-2048',
): Promise<PrivateKey> {
  if (strength === 'RSA-2048') return keys.next('RSA', signal);
  return strength === 'ECDSA-P256' ? keys.next('ECDSA') : generatePrivateKeyOf(strength);
}
