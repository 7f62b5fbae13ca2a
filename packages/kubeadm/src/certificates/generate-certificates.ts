import {
  certificateToPem,
  createCa,
  generatePrivateKeyOf,
  type KeySource,
  type KeyStrength,
  type PkiDependencies,
  type PrivateKey,
  privateKeyToPem,
  publicKeyToPem,
} from '@slipway/pki';
import type { CertificateSet, ClusterCertificate, KeyPair } from './certificate-set.js';

export interface CertificateDependencies extends PkiDependencies {
  /** Source of keys with the default algorithm. It may have generated them in advance. */
  readonly keys: KeySource;
  /** Aborts when the caller no longer waits for the keys. */
  readonly signal?: AbortSignal;
}

const dayMs = 86_400_000;
const validityDaysDefault = 3650;

/** Generates every missing key pair, except those of an external etcd, which the user provides. */
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
  const authority = await createCa(dependencies, {
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
