import {
  certificateToPem,
  certificateValidityMsDefault,
  clientTemplate,
  issueCertificate,
  type KeyStrength,
  parseCertificates,
  privateKeyFromPem,
  privateKeyToPem,
} from '@slipway/base';
import { labels, secretTypes } from '@slipway/cluster-api';
import { type Frozen, type OwnerReference, stringifyYaml } from '@slipway/kube';
import { type Kubeconfig, parseKubeconfig, type Secret } from '@slipway/runtime';
import { CertificateError } from './certificate-error.js';
import type { KeyPair } from './certificate-set.js';
import { certificateSecretName, type ClusterKey } from './certificate-secrets.js';
import { type CertificateWorld, newKey } from './generate-certificates.js';

export interface KubeconfigOptions {
  readonly clusterName: string;
  /** `https://host:port`. */
  readonly server: string;
  /** The key pair of the cluster's `ca` Secret. */
  readonly authority: KeyPair;
  readonly strength?: KeyStrength;
}

const valueKey = 'value';

/** The kubeconfig of an administrator of the workload cluster, with a client certificate for one year. */
export async function createKubeconfig(world: CertificateWorld, options: KubeconfigOptions): Promise<string> {
  const { clusterName, server } = options;
  const authority = authorityOf(options.authority);
  const key = await newKey(world.keys, options.strength);
  const template = {
    ...clientTemplate('kubernetes-admin', ['system:masters'], { validityMs: certificateValidityMsDefault }),
    // Valid as long as its authority is, in the past as well: machines with slow clocks accept both or none.
    backdateMs: world.clock.now() - authority.certificate.notBefore,
  };
  const certificate = await issueCertificate(world, authority, template, key);
  const user = `${clusterName}-admin`;
  const context = `${user}@${clusterName}`;
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: clusterName,
        cluster: { server, 'certificate-authority-data': encode(certificateToPem(authority.certificate)) },
      },
    ],
    contexts: [{ name: context, context: { cluster: clusterName, user } }],
    'current-context': context,
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': encode(certificateToPem(certificate)),
          'client-key-data': encode(privateKeyToPem(key, 'traditional')),
        },
      },
    ],
  });
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

export function kubeconfigSecret(cluster: ClusterKey, kubeconfig: string, owner: OwnerReference): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: certificateSecretName(cluster.name, 'kubeconfig'),
      namespace: cluster.namespace,
      labels: { [labels.clusterName]: cluster.name },
      ownerReferences: [owner],
    },
    type: secretTypes.cluster,
    data: { [valueKey]: encode(kubeconfig) },
  };
}

/** True when a client certificate in the kubeconfig has less than half a year left. */
export function needsKubeconfigRotation(secret: Frozen<Secret>, now: number): boolean {
  const kubeconfig = kubeconfigOf(secret);
  for (const [name, { value }] of kubeconfig.users) {
    const data = value['client-certificate-data'];
    const [certificate] = parseCertificates(decode(typeof data === 'string' ? data : ''));
    if (certificate === undefined)
      throw new CertificateError('NotPem', 'ca', `failed to decode kubeconfig client certificate of user ${name}`);
    if (certificate.notAfter - now < certificateValidityMsDefault / 2) return true;
  }
  return false;
}

/** Where the kubeconfig points. Rotation keeps it, because users may have put a proxy or another name there. */
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

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
