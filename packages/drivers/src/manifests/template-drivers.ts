import { type KubeObject, stringifyYaml } from '@slipway/kube';
import { csiDeployment, csiNamespace, csiSecretName, systemNamespace } from '../api/index.js';
import { newestCpiVersion, newestCsiVersion } from '../matrix/index.js';
import { cpiManifest } from './cpi-manifest.js';
import { csiManifest } from './csi-manifest.js';

/** The driver manifests with template variables, for clusters without the operator. */
export interface TemplateDrivers {
  readonly cloudAccount: string;
  readonly cloudManifests: string;
  readonly storageAccount: string;
  readonly storageManifests: string;
}

const cloudSecretName = 'cloud-provider-vsphere-credentials';

export function templateDrivers(): TemplateDrivers {
  return {
    cloudAccount,
    cloudManifests: withRegistry([...cpiManifest(newestCpiVersion), cloudConfig])
      // The version is a variable: each Kubernetes minor version has its own release of the cloud provider.
      .replace(`cloud-provider-vsphere:v${newestCpiVersion}`, 'cloud-provider-vsphere:${CPI_IMAGE_K8S_VERSION}'),
    storageAccount,
    storageManifests: withRegistry(csiManifest(newestCsiVersion).map(forOneControlPlane)),
  };
}

/** Returns the manifests of objects, with a variable as the registry of their images. */
function withRegistry(objects: readonly KubeObject[]): string {
  const text = objects.map((object) => stringifyYaml(object)).join('---\n');
  return text.replaceAll(/(?<=\bimage: )([^\s/]+)(?=\/)/g, '${DRIVER_IMAGE_REGISTRY:=$1}');
}

/**
 * Sets one replica for the storage controller: each replica requires its own control plane node, and a template does not know how
 * many there are.
 */
function forOneControlPlane(object: KubeObject): KubeObject {
  if (object.kind === 'Namespace')
    return {
      ...object,
      metadata: { ...object.metadata, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    };
  if (object.kind !== 'Deployment' || object.metadata.name !== csiDeployment) return object;
  return { ...object, spec: { ...(object['spec'] as object), replicas: 1 } };
}

/**
 * Secret of the cloud provider account. Its keys contain a number instead of the server, which is not a valid key if it has a
 * port or is an IPv6 address.
 */
const cloudAccount = `apiVersion: v1
kind: Secret
metadata:
  name: ${cloudSecretName}
  namespace: ${systemNamespace}
  labels:
    component: cloud-controller-manager
    vsphere-cpi-infra: secret
type: Opaque
stringData:
  server_0: |-
    \${VSPHERE_SERVER}
  username_0: |-
    \${VSPHERE_USERNAME}
  password_0: |-
    \${VSPHERE_PASSWORD}
`;

const cloudConfig: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'vsphere-cloud-config', namespace: systemNamespace },
  data: {
    'vsphere.conf': `global:
  port: 443
  secretName: ${cloudSecretName}
  secretNamespace: ${systemNamespace}
  thumbprint: "\${VSPHERE_TLS_THUMBPRINT}"
vcenter:
  "\${VSPHERE_SERVER}":
    server: "\${VSPHERE_SERVER}"
    datacenters:
    - "\${VSPHERE_DATACENTER}"
`,
  },
};

const storageAccount = `apiVersion: v1
kind: Secret
metadata:
  name: ${csiSecretName}
  namespace: ${csiNamespace}
type: Opaque
stringData:
  csi-vsphere.conf: |
    [Global]
    thumbprint = "\${VSPHERE_TLS_THUMBPRINT}"

    [VirtualCenter "\${VSPHERE_SERVER}"]
    user = "\${VSPHERE_USERNAME}"
    password = "\${VSPHERE_PASSWORD}"
    datacenters = "\${VSPHERE_DATACENTER}"

    [Network]
    public-network = "\${VSPHERE_NETWORK}"
`;
