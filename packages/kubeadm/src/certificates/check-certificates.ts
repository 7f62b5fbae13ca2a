import { createHash } from 'node:crypto';
import {
  type Certificate,
  parseCertificates,
  type PrivateKey,
  privateKeyFromPem,
  publicKeyFromPem,
  publicKeyToDer,
} from '@slipway/pki';
import { certificateSecretName } from './certificate-secrets.js';
import {
  CertificateError,
  type CertificateReason,
  type CertificateSet,
  type ClusterCertificate,
} from './certificate-set.js';

/**
 * Returns the problems of key pairs that users provided, with messages for users. Upstream accepts such Secrets unchecked, and
 * kubeadm then fails on the machine, where users do not see the error.
 */
export function checkCertificates(set: CertificateSet, clusterName: string, now: number): CertificateError[] {
  return set.flatMap((certificate) => {
    const problem = certificate.keyPair === undefined ? undefined : problemOf(certificate, now);
    if (problem === undefined) return [];
    const name = certificateSecretName(clusterName, certificate.purpose);
    return [new CertificateError(problem.reason, certificate.purpose, `Secret ${name}: ${problem.message}`)];
  });
}

interface Problem {
  readonly reason: CertificateReason;
  readonly message: string;
}

function problemOf(certificate: ClusterCertificate, now: number): Problem | undefined {
  const finding = dataProblem(certificate) ?? lastingFinding(certificate);
  return 'notAfter' in finding ? timeProblem(finding, now) : finding;
}

type Validity = Pick<Certificate, 'notBefore' | 'notAfter'>;

/** Caches results that do not depend on time: parsing keys takes milliseconds, and every reconcile needs the result. */
const findings = new Map<string, Problem | Validity>();
const findingsMax = 16_384;

function lastingFinding(certificate: ClusterCertificate): Problem | Validity {
  const { purpose, keyPair } = certificate;
  const key = createHash('sha256')
    .update(`${purpose}\n${keyPair?.certificate ?? ''}\n${keyPair?.key ?? ''}`)
    .digest('base64');
  const cached = findings.get(key);
  if (cached !== undefined) return cached;
  const found = purpose === 'sa' ? serviceAccountFinding(certificate) : x509Finding(certificate);
  const [oldest] = findings.keys();
  if (findings.size >= findingsMax && oldest !== undefined) findings.delete(oldest);
  findings.set(key, found);
  return found;
}

function dataProblem({ keyPair, isExternal, keyFile, purpose }: ClusterCertificate): Problem | undefined {
  if (keyPair?.certificate === '') return { reason: 'MissingCertificateData', message: 'tls.crt is empty' };
  const needsKey = !isExternal || keyFile !== '';
  if (keyPair?.key === '' && needsKey)
    return { reason: 'MissingKeyData', message: `missing key data for certificate: ${purpose}; add tls.key` };
  return undefined;
}

const always: Validity = { notBefore: Number.NEGATIVE_INFINITY, notAfter: Number.POSITIVE_INFINITY };

function serviceAccountFinding({ keyPair }: ClusterCertificate): Problem | Validity {
  const key = readKey(keyPair?.key ?? '');
  if (key === undefined) return notPemKey;
  try {
    const published = publicKeyFromPem(keyPair?.certificate ?? '');
    return publicKeyToDer(published).equals(publicKeyToDer(key)) ? always : mismatch;
  } catch {
    return { reason: 'NotPem', message: 'tls.crt is not a PEM-encoded public key' };
  }
}

const notPemKey: Problem = { reason: 'NotPem', message: 'tls.key is not a PEM-encoded EC or RSA private key' };
const mismatch: Problem = { reason: 'KeyMismatch', message: 'tls.key does not belong to tls.crt' };

function x509Finding(certificate: ClusterCertificate): Problem | Validity {
  const [first] = readCertificateChain(certificate.keyPair?.certificate ?? '');
  if (first === undefined) return { reason: 'NotPem', message: 'tls.crt is not a PEM-encoded certificate' };
  return (
    keyProblem(certificate, first) ??
    (certificate.purpose !== 'apiserver-etcd-client' && !first.isCa
      ? { reason: 'NotCA', message: 'tls.crt is not a CA certificate (CA:TRUE is not set)' }
      : { notBefore: first.notBefore, notAfter: first.notAfter })
  );
}

function keyProblem({ keyPair }: ClusterCertificate, first: Certificate): Problem | undefined {
  if (keyPair === undefined || keyPair.key === '') return undefined;
  const key = readKey(keyPair.key);
  if (key === undefined) return notPemKey;
  return publicKeyToDer(first.publicKey).equals(publicKeyToDer(key)) ? undefined : mismatch;
}

function timeProblem({ notBefore, notAfter }: Validity, now: number): Problem | undefined {
  if (now > notAfter)
    return { reason: 'Expired', message: `tls.crt expired at ${new Date(notAfter).toISOString()}; replace it` };
  if (now < notBefore)
    return { reason: 'NotYetValid', message: `tls.crt is not valid before ${new Date(notBefore).toISOString()}` };
  return undefined;
}

function readCertificateChain(pem: string): Certificate[] {
  try {
    return parseCertificates(pem);
  } catch {
    return [];
  }
}

function readKey(pem: string): PrivateKey | undefined {
  try {
    return privateKeyFromPem(pem);
  } catch {
    return undefined;
  }
}

/** Returns the earliest expiry of a set of certificates, in milliseconds since the epoch. */
export function earliestExpiry(set: CertificateSet): number | undefined {
  const ends = set
    .filter((certificate) => certificate.purpose !== 'sa')
    .flatMap((certificate) => readCertificateChain(certificate.keyPair?.certificate ?? ''))
    .map((certificate) => certificate.notAfter);
  return ends.length === 0 ? undefined : Math.min(...ends);
}
