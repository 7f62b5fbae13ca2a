import { type KubeObject, stringifyYaml } from '@slipway/kube';
import { type Certificate, certificateToPem } from '@slipway/pki';
import type { Placed } from '../simulated-objects.js';

/** Namespaces of every cluster. Each cluster creates its own, because tools identify a cluster by the uid of kube-system. */
const namespaceNames = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const;

export const namespaceResource = 'namespaces';
const configMapResource = 'configmaps';

export function namespaceObjects(): readonly Placed[] {
  return namespaceNames.map((name) => ({
    resource: namespaceResource,
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  }));
}

/** Returns the default ServiceAccount of every namespace. Created here, because controllers start only when a client connects. */
export function defaultAccounts(): readonly KubeObject[] {
  return namespaceNames.map((namespace) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace },
  }));
}

export const kubeadmConfigName = 'kubeadm-config';

/** Returns the configuration that `kubeadm init` uploads. */
export function kubeadmConfig(clusterConfiguration: string): Placed {
  return configMap('kube-system', kubeadmConfigName, { ClusterConfiguration: clusterConfiguration });
}

/** Returns the endpoint and CA of the cluster, for machines that join with a bootstrap token. */
export function clusterInfo(authority: Certificate, server: string): Placed {
  const kubeconfig = stringifyYaml({
    apiVersion: 'v1',
    clusters: [
      {
        cluster: {
          'certificate-authority-data': Buffer.from(certificateToPem(authority)).toString('base64'),
          server,
        },
        name: '',
      },
    ],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    users: null,
  });
  return configMap('kube-public', 'cluster-info', { kubeconfig });
}

/** Returns the CAs that extension API servers trust: the client CA and the front proxy CA. */
export function extensionAuthentication(authority: Certificate, frontProxy: string | undefined): Placed {
  const names = (...list: readonly string[]): string => JSON.stringify(list);
  return configMap('kube-system', 'extension-apiserver-authentication', {
    'client-ca-file': certificateToPem(authority),
    ...(frontProxy === undefined
      ? {}
      : {
          'requestheader-allowed-names': names('front-proxy-client'),
          'requestheader-client-ca-file': frontProxy,
          'requestheader-extra-headers-prefix': names('X-Remote-Extra-'),
          'requestheader-group-headers': names('X-Remote-Group'),
          'requestheader-uid-headers': names('X-Remote-Uid'),
          'requestheader-username-headers': names('X-Remote-User'),
        }),
  });
}

function configMap(namespace: string, name: string, data: Record<string, string>): Placed {
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
  return { resource: configMapResource, object };
}
