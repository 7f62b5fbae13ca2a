import { certificateSecretName, type CertificatePurpose } from '@slipway/kubeadm';
import { type CertificateAuthority, parseCertificates, type PrivateKey, privateKeyFromPem } from '@slipway/pki';
import { type Reader, ifPresent, type ObjectKey, ReconcileError, secrets } from '@slipway/runtime';

/** The CA key pairs and keys that the control plane machines of a cluster share. */
export interface ClusterAuthorities {
  readonly authority: CertificateAuthority;
  readonly serviceAccountKey: PrivateKey;
  /** Absent for an external etcd. */
  readonly etcd?: CertificateAuthority;
  /** The certificate of the front proxy CA, in PEM. */
  readonly frontProxy?: string;
}

type AuthorityReason = 'CertificatesMissing' | 'CertificatesInvalid';

/** Reads the Secrets that bootstrap data would write to the machine. */
export async function readAuthorities(read: Reader, cluster: ObjectKey): Promise<ClusterAuthorities> {
  const [authority, account, etcd, proxy] = await Promise.all([
    readPair(read, cluster, 'ca'),
    readPair(read, cluster, 'sa'),
    readPair(read, cluster, 'etcd'),
    readPair(read, cluster, 'proxy'),
  ]);
  if (authority === undefined) throw missing(cluster, 'ca');
  if (account === undefined) throw missing(cluster, 'sa');
  return {
    authority: authorityOf(cluster, 'ca', authority),
    serviceAccountKey: keyOf(cluster, 'sa', account),
    // The CA of an external etcd has no key. Nothing is signed with it here.
    ...(etcd === undefined || etcd.key === '' ? {} : { etcd: authorityOf(cluster, 'etcd', etcd) }),
    ...(proxy === undefined ? {} : { frontProxy: proxy.certificate }),
  };
}

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

async function readPair(read: Reader, cluster: ObjectKey, purpose: CertificatePurpose): Promise<Pair | undefined> {
  const key = { namespace: cluster.namespace, name: certificateSecretName(cluster.name, purpose) };
  const secret = await ifPresent(read.get(secrets, key));
  return secret && { certificate: decode(secret.data?.['tls.crt']), key: decode(secret.data?.['tls.key']) };
}

function decode(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8');
}

function authorityOf(cluster: ObjectKey, purpose: CertificatePurpose, pair: Pair): CertificateAuthority {
  const key = keyOf(cluster, purpose, pair);
  let certificate;
  try {
    [certificate] = parseCertificates(pair.certificate);
  } catch {
    certificate = undefined;
  }
  if (certificate === undefined) throw invalid(cluster, purpose, 'tls.crt is not a PEM-encoded certificate');
  return { certificate, key };
}

function keyOf(cluster: ObjectKey, purpose: CertificatePurpose, pair: Pair): PrivateKey {
  if (pair.key === '')
    throw invalid(
      cluster,
      purpose,
      'tls.key is missing: the serving certificate of the simulated API server cannot be signed',
    );
  try {
    return privateKeyFromPem(pair.key);
  } catch {
    throw invalid(cluster, purpose, 'tls.key is not a PEM-encoded EC or RSA private key');
  }
}

function missing(cluster: ObjectKey, purpose: CertificatePurpose): ReconcileError<AuthorityReason> {
  return new ReconcileError(
    'CertificatesMissing',
    `Secret ${certificateSecretName(cluster.name, purpose)} is missing`,
    {
      retry: 'later',
      remedy: 'wait for the control plane provider to create it, or create it with your own CA',
    },
  );
}

function invalid(cluster: ObjectKey, purpose: CertificatePurpose, what: string): ReconcileError<AuthorityReason> {
  return new ReconcileError('CertificatesInvalid', `Secret ${certificateSecretName(cluster.name, purpose)}: ${what}`, {
    retry: 'later',
    remedy: 'set tls.crt to a PEM-encoded CA certificate and tls.key to its private key',
  });
}
