import { deepEqual, type Frozen, type KubeObject, recordAt, textAt } from '@slipway/kube';
import { type BootstrapToken, bootstrapTokenIdOfName, readBootstrapTokenSecret } from '../tokens/index.js';
import { detachedSignature } from './detached-signature.js';

export const clusterInfoName = 'cluster-info';
export const clusterInfoNamespace = 'kube-public';
const signaturePrefix = 'jws-kubeconfig-';

/** The tokens that sign cluster-info: complete, not expired, and enabled for signing. The first of two with the same id is used. */
export function signingTokens(secrets: readonly Frozen<KubeObject>[], now: number): BootstrapToken[] {
  const tokens = new Map<string, BootstrapToken>();
  for (const object of secrets) {
    const read = readBootstrapTokenSecret(object, now);
    if (read === undefined || !read.signs || read.expired || read.secret === '' || read.id === '') continue;
    if (bootstrapTokenIdOfName(read.name) !== read.id || tokens.has(read.id)) continue;
    tokens.set(read.id, { id: read.id, secret: read.secret });
  }
  return [...tokens.values()];
}

/** The desired data of cluster-info: one signature per token. Undefined if it is up to date. */
export function signedClusterInfo(
  configMap: Frozen<KubeObject>,
  tokens: readonly BootstrapToken[],
): Record<string, string> | undefined {
  const before = recordAt(configMap, 'data');
  const kubeconfig = textAt(before, 'kubeconfig');
  if (before === undefined || !Object.hasOwn(before, 'kubeconfig')) return undefined;
  const kept = Object.entries(before).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = tokens.map((token) => [`${signaturePrefix}${token.id}`, detachedSignature(kubeconfig, token)]);
  const data = Object.fromEntries([...kept, ...signatures]) as Record<string, string>;
  return deepEqual(data, before) ? undefined : data;
}

/** The unsigned ConfigMap: a kubeconfig with server URL and CA, without a user. */
export function createClusterInfo(server: string, authorityPem: string): KubeObject {
  const data = Buffer.from(authorityPem).toString('base64');
  const kubeconfig = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${data}
    server: ${server}
  name: ""
contexts: null
current-context: ""
kind: Config
users: null
`;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: clusterInfoName, namespace: clusterInfoNamespace },
    data: { kubeconfig },
  };
}

/** Role and binding that let joining machines read cluster-info anonymously, with the names that kubeadm uses. */
export function createClusterInfoAccess(): { role: KubeObject; roleBinding: KubeObject } {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name: 'kubeadm:bootstrap-signer-clusterinfo', namespace: clusterInfoNamespace };
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    role: {
      apiVersion,
      kind: 'Role',
      metadata,
      rules: [{ apiGroups: [''], resourceNames: [clusterInfoName], resources: ['configmaps'], verbs: ['get'] }],
    },
    roleBinding: {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { ...metadata },
      roleRef: { apiGroup, kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup, kind: 'User', name: 'system:anonymous' }],
    },
  };
}
