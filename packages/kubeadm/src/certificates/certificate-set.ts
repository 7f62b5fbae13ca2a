import { posix } from 'node:path';
import type { Frozen } from '@slipway/kube';
import type { KeyStrength } from '@slipway/pki';
import type { KubeadmConfig } from '../api/index.js';

type ClusterConfiguration = NonNullable<Frozen<NonNullable<KubeadmConfig['spec']>>['clusterConfiguration']>;

/** The purpose of a certificate. It is also the suffix of the Secret name. */
export type CertificatePurpose = 'ca' | 'etcd' | 'proxy' | 'sa' | 'apiserver-etcd-client';

/** A key pair in PEM. For `sa` the certificate is a public key. The CA of an external etcd has no key. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface ClusterCertificate {
  readonly purpose: CertificatePurpose;
  readonly certificateFile: string;
  /** Path of the key file. Empty if no key is written. */
  readonly keyFile: string;
  /** Whether the certificate belongs to an external etcd. It is never generated, and may have no key. */
  readonly isExternal: boolean;
  readonly validityDays?: number;
  readonly strength?: KeyStrength;
  readonly keyPair?: KeyPair;
  /** Whether the key pair was just generated and has no Secret yet. */
  readonly isGenerated?: boolean;
}

export type CertificateSet = readonly ClusterCertificate[];

const certificatesDirDefault = '/etc/kubernetes/pki';

/** Returns the certificates that all control plane machines of a cluster share. */
export function controlPlaneCertificates(configuration: ClusterConfiguration = {}): CertificateSet {
  const directory = configuration.certificatesDir ?? certificatesDirDefault;
  const { caCertificateValidityPeriodDays: validityDays, encryptionAlgorithm: strength } = configuration;
  const own = (purpose: CertificatePurpose, certificate: string, key: string): ClusterCertificate => ({
    purpose,
    certificateFile: posix.join(directory, certificate),
    keyFile: posix.join(directory, key),
    isExternal: false,
    ...(validityDays === undefined || validityDays === 0 ? {} : { validityDays }),
    ...(strength === undefined ? {} : { strength }),
  });
  return [
    own('ca', 'ca.crt', 'ca.key'),
    own('sa', 'sa.pub', 'sa.key'),
    own('proxy', 'front-proxy-ca.crt', 'front-proxy-ca.key'),
    ...(externalEtcdCertificates(configuration) ?? [own('etcd', 'etcd/ca.crt', 'etcd/ca.key')]),
  ];
}

function externalEtcdCertificates(configuration: ClusterConfiguration): CertificateSet | undefined {
  const external = configuration.etcd?.external;
  if (external === undefined) return undefined;
  return [
    {
      purpose: 'apiserver-etcd-client',
      certificateFile: external.certFile,
      keyFile: external.keyFile,
      isExternal: true,
    },
    { purpose: 'etcd', certificateFile: external.caFile, keyFile: '', isExternal: true },
  ];
}

/** Returns the certificates of a worker: only the CA, to verify the API server. */
export function workerCertificates(caCertPath = `${certificatesDirDefault}/ca.crt`): CertificateSet {
  return [{ purpose: 'ca', certificateFile: caCertPath, keyFile: '', isExternal: false }];
}

export function certificateOf(set: CertificateSet, purpose: CertificatePurpose): ClusterCertificate | undefined {
  return set.find((certificate) => certificate.purpose === purpose);
}

export type CertificateReason =
  | 'Missing'
  | 'MissingCertificateData'
  | 'MissingKeyData'
  | 'NotPem'
  | 'KeyMismatch'
  | 'NotCA'
  | 'Expired'
  | 'NotYetValid';

/** Reports an unusable certificate Secret. The message names the Secret and never quotes its content. */
export class CertificateError extends Error {
  readonly reason: CertificateReason;
  readonly purpose: CertificatePurpose;

  constructor(reason: CertificateReason, purpose: CertificatePurpose, message: string) {
    super(message);
    this.name = 'CertificateError';
    this.reason = reason;
    this.purpose = purpose;
  }
}
