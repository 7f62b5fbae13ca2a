import { deepEqual, type Frozen, type KubeObject, recordAt, textAt } from '@slipway/kube';
import { type BootstrapToken, bootstrapTokenIdOfName, readBootstrapTokenSecret } from '../tokens/index.js';
import { detachedSignature } from './detached-signature.js';

export const clusterInfoName = 'cluster-info';
export const clusterInfoNamespace = 'kube-public';
const signaturePrefix = 'jws-kubeconfig-';

/**
 * Returns the bootstrap tokens that sign cluster-info: complete, not expired, and enabled for signing. If two have the same id,
 * the first is used.
 */
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

/**
 * Returns the desired data of the cluster-info ConfigMap, with one signature per token. Returns undefined if it is up to date or
 * has no kubeconfig.
 */
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

/** Creates the unsigned cluster-info ConfigMap. Its kubeconfig has server URL and CA, but no user. */
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

/** Creates a Role and RoleBinding that let anonymous joining machines read cluster-info, with the names that kubeadm uses. */
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
