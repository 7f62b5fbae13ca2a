import { adminKubeconfig } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { certificateValidityMsDefault, type KeyStrength, parseCertificates, privateKeyFromPem } from '@slipway/pki';
import { type Kubeconfig, parseKubeconfig, type Secret } from '@slipway/runtime';
import { CertificateError, type KeyPair } from './certificate-set.js';
import { type CertificateDependencies, newKey } from './generate-certificates.js';

export interface KubeconfigOptions {
  readonly clusterName: string;
  /** `https://host:port`. */
  readonly server: string;
  /** The CA key pair from the `ca` Secret of the cluster. */
  readonly authority: KeyPair;
  readonly strength?: KeyStrength;
}

const valueKey = 'value';

/** Returns the administrator kubeconfig of the workload cluster. Its client certificate is valid for one year. */
export async function createKubeconfig(
  dependencies: CertificateDependencies,
  options: KubeconfigOptions,
): Promise<string> {
  const { clusterName, server } = options;
  const authority = authorityOf(options.authority);
  const key = await newKey(dependencies, options.strength);
  return adminKubeconfig(dependencies, { clusterName, server, authority, key });
}

function authorityOf(pair: KeyPair): {
  readonly certificate: ReturnType<typeof parseCertificates>[number];
  readonly key: ReturnType<typeof privateKeyFromPem>;
} {
  const [certificate] = parseCertificates(pair.certificate);
  if (certificate === undefined)
    throw new CertificateError('NotPem', 'ca', 'failed to decode CA Cert: tls.crt is not a PEM-encoded certificate');
  if (pair.key === '') throw new CertificateError('MissingKeyData', 'ca', 'CA private key not found: tls.key is empty');
  return { certificate, key: privateKeyFromPem(pair.key) };
}

/** Whether a client certificate in the kubeconfig expires in less than half a year. */
export function needsKubeconfigRotation(secret: Frozen<Secret>, now: number): boolean {
  let expiry = expiries.get(secret);
  if (expiry === undefined) {
    expiry = clientExpiry(secret);
    expiries.set(secret, expiry);
  }
  return expiry - now < certificateValidityMsDefault / 2;
}

/** Expiries by Secret object: every reconcile of a control plane needs them, and they rarely change. */
const expiries = new WeakMap<Frozen<Secret>, number>();

/** Returns the earliest expiry of the client certificates. */
function clientExpiry(secret: Frozen<Secret>): number {
  const ends = [...kubeconfigOf(secret).users].map(([name, { value }]) => {
    const data = value['client-certificate-data'];
    const [certificate] = parseCertificates(decode(typeof data === 'string' ? data : ''));
    if (certificate === undefined)
      throw new CertificateError('NotPem', 'ca', `failed to decode kubeconfig client certificate of user ${name}`);
    return certificate.notAfter;
  });
  return Math.min(...ends);
}

/** Returns the server URL of the kubeconfig. Rotation keeps it, because users may have set a proxy or another name. */
export function kubeconfigServer(secret: Frozen<Secret>, clusterName: string): string | undefined {
  const server = kubeconfigOf(secret).clusters.get(clusterName)?.value['server'];
  return typeof server === 'string' ? server : undefined;
}

function kubeconfigOf(secret: Frozen<Secret>): Kubeconfig {
  const data = secret.data?.[valueKey];
  if (data === undefined)
    throw new CertificateError(
      'MissingCertificateData',
      'ca',
      `missing key "${valueKey}" in secret data of ${secret.metadata.name ?? ''}`,
    );
  return parseKubeconfig(decode(data), `Secret ${secret.metadata.name ?? ''}`);
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
