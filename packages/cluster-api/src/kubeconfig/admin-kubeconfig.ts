import { type OwnerReference, stringifyYaml } from '@slipway/kube';
import {
  type CertificateAuthority,
  certificateToPem,
  certificateValidityMsDefault,
  clientTemplate,
  issueCertificate,
  type PkiDependencies,
  type PrivateKey,
  privateKeyToPem,
} from '@slipway/pki';
import type { ObjectKey, Secret } from '@slipway/runtime';
import { labels, secretTypes } from '../api/index.js';

export interface AdminKubeconfigOptions {
  readonly clusterName: string;
  /** `https://host:port`. */
  readonly server: string;
  readonly authority: CertificateAuthority;
  /** Private key of the client certificate. */
  readonly key: PrivateKey;
}

/** Returns the kubeconfig of an administrator of the workload cluster. Its client certificate is valid for one year. */
export async function adminKubeconfig(dependencies: PkiDependencies, options: AdminKubeconfigOptions): Promise<string> {
  const { clusterName, server, authority, key } = options;
  const template = {
    ...clientTemplate('kubernetes-admin', ['system:masters'], { validityMs: certificateValidityMsDefault }),
    // Backdated to the notBefore time of the CA, so that a machine with a slow clock accepts either both certificates or none.
    backdateMs: dependencies.clock.now() - authority.certificate.notBefore,
  };
  const certificate = await issueCertificate(dependencies, authority, template, key);
  const user = `${clusterName}-admin`;
  const context = `${user}@${clusterName}`;
  const authorityData = encode(certificateToPem(authority.certificate));
  const credentials = {
    'client-certificate-data': encode(certificateToPem(certificate)),
    'client-key-data': encode(privateKeyToPem(key, 'traditional')),
  };
  return stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster: { server, 'certificate-authority-data': authorityData } }],
    contexts: [{ name: context, context: { cluster: clusterName, user } }],
    'current-context': context,
    users: [{ name: user, user: credentials }],
  });
}

export function kubeconfigSecretName(clusterName: string): string {
  return `${clusterName}-kubeconfig`;
}

/** Returns the kubeconfig Secret of a cluster. */
export function kubeconfigSecret(cluster: ObjectKey, kubeconfig: string, owner: OwnerReference): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: kubeconfigSecretName(cluster.name),
      namespace: cluster.namespace,
      labels: { [labels.clusterName]: cluster.name },
      ownerReferences: [owner],
    },
    type: secretTypes.cluster,
    data: { value: encode(kubeconfig) },
  };
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
