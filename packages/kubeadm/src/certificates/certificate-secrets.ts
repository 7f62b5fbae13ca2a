import { labels, secretTypes } from '@slipway/cluster-api';
import type { Frozen, OwnerReference } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import {
  CertificateError,
  certificateOf,
  type CertificatePurpose,
  type CertificateSet,
  type ClusterCertificate,
  type KeyPair,
} from './certificate-set.js';

export interface ClusterKey {
  readonly namespace: string;
  readonly name: string;
}

export type CertificateSecrets = ReadonlyMap<string, Frozen<Secret>>;

const certificateKey = 'tls.crt';
const privateKeyKey = 'tls.key';

export function certificateSecretName(clusterName: string, purpose: CertificatePurpose | 'kubeconfig'): string {
  return `${clusterName}-${purpose}`;
}

export function certificateSecretNames(set: CertificateSet, clusterName: string): string[] {
  return set.map(({ purpose }) => certificateSecretName(clusterName, purpose));
}

/**
 * Reads the certificate set from Secrets by name. Accepts Secrets of any type, because users provide their own. A missing Secret
 * leaves its certificate unset, except that of an external etcd, which is an error.
 */
export function readCertificates(
  set: CertificateSet,
  secrets: CertificateSecrets,
  clusterName: string,
): CertificateSet {
  return set.map((certificate) => {
    const name = certificateSecretName(clusterName, certificate.purpose);
    const secret = secrets.get(name);
    if (secret !== undefined) return { ...certificate, keyPair: keyPairOf(secret, name, certificate.purpose) };
    if (!certificate.isExternal) return certificate;
    throw new CertificateError(
      'Missing',
      certificate.purpose,
      `external certificate not found: Secret ${name}; create it with the keys of the external etcd`,
    );
  });
}

function keyPairOf(secret: Frozen<Secret>, name: string, purpose: CertificatePurpose): KeyPair {
  const certificate = secret.data?.[certificateKey];
  if (certificate === undefined)
    throw new CertificateError(
      'MissingCertificateData',
      purpose,
      `failed to read keypair from certificate ${name}: missing data for key ${certificateKey}`,
    );
  return { certificate: decode(certificate), key: decode(secret.data?.[privateKeyKey] ?? '') };
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Returns the certificates that have no Secret. */
export function missingCertificates(set: CertificateSet): CertificatePurpose[] {
  return set.filter((certificate) => certificate.keyPair === undefined).map((certificate) => certificate.purpose);
}

/** Returns the Secret of a generated key pair. */
export function certificateSecret(certificate: ClusterCertificate, cluster: ClusterKey, owner: OwnerReference): Secret {
  const { keyPair, purpose } = certificate;
  if (keyPair === undefined) throw new CertificateError('Missing', purpose, `certificate ${purpose} has no key pair`);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: certificateSecretName(cluster.name, purpose),
      namespace: cluster.namespace,
      labels: { [labels.clusterName]: cluster.name },
      ownerReferences: [owner],
    },
    type: secretTypes.cluster,
    data: { [certificateKey]: encode(keyPair.certificate), [privateKeyKey]: encode(keyPair.key) },
  };
}

export interface CertificateFile {
  readonly path: string;
  readonly owner: string;
  readonly permissions: string;
  readonly content: string;
}

const order: readonly CertificatePurpose[] = ['ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client'];

/** Returns the files of a control plane machine, in the order in which Cluster API writes them. */
export function certificateFiles(set: CertificateSet): CertificateFile[] {
  return order.flatMap((purpose) => {
    const certificate = certificateOf(set, purpose);
    return certificate === undefined ? [] : filesOf(certificate);
  });
}

function filesOf({ keyPair, certificateFile, keyFile }: ClusterCertificate): CertificateFile[] {
  const owner = 'root:root';
  const files: CertificateFile[] = [];
  if (keyPair === undefined) return files;
  if (keyPair.certificate !== '')
    files.push({ path: certificateFile, owner, permissions: '0640', content: keyPair.certificate });
  // Skip a key without a path, such as that of the CA of an external etcd.
  if (keyPair.key !== '' && keyFile !== '')
    files.push({ path: keyFile, owner, permissions: '0600', content: keyPair.key });
  return files;
}
