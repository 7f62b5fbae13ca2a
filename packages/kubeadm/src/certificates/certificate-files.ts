import {
  type CertificatePurpose,
  certificateOf,
  type CertificateSet,
  type ClusterCertificate,
} from './certificate-set.js';

export interface CertificateFile {
  readonly path: string;
  readonly owner: string;
  readonly permissions: string;
  readonly content: string;
}

const order: readonly CertificatePurpose[] = ['ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client'];

/** The set as files of a control plane machine, in the order in which Cluster API writes them. */
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
  // A key without a place to be, as of an external etcd's CA, stays where it is.
  if (keyPair.key !== '' && keyFile !== '')
    files.push({ path: keyFile, owner, permissions: '0600', content: keyPair.key });
  return files;
}
