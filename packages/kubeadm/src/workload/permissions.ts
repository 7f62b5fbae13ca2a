import { isReason } from '@slipway/kube';
import { type Client, type ClusterRoleBinding, clusterRoleBindings } from '@slipway/runtime';
import { parseKubernetesVersion } from '../bootstrap-data/index.js';
import type { CallOptions } from './workload-cluster.js';

const rbacGroup = 'rbac.authorization.k8s.io';

/** From here on every cluster was made or upgraded by a kubeadm that brings them along. */
const minorWithout = 38;

/**
 * What newer versions of kubeadm count on and a cluster made by an older one lacks: groups that took the place of
 * system:masters. kubeadm's upgrade would add them; machines that are replaced never run it.
 */
const bindings: readonly ClusterRoleBinding[] = [
  bindingOf('kubeadm:cluster-admins', 'cluster-admin', { kind: 'Group', name: 'kubeadm:cluster-admins' }),
  bindingOf('kubeadm:apiserver-kubelet-client', 'system:kubelet-api-admin', {
    kind: 'User',
    name: 'kube-apiserver-kubelet-client',
  }),
];

function bindingOf(
  name: string,
  role: string,
  subject: { readonly kind: 'Group' | 'User'; readonly name: string },
): ClusterRoleBinding {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
    subjects: [{ ...subject, apiGroup: rbacGroup }],
  };
}

/** Adds what is missing; what is there is left as it is. */
export async function ensurePermissions(client: Client, version: string, { signal }: CallOptions): Promise<void> {
  const { major, minor } = parseKubernetesVersion(version);
  if (major > 1 || minor >= minorWithout) return;
  for (const binding of bindings) {
    const name = binding.metadata.name ?? '';
    try {
      await client.get(clusterRoleBindings, { namespace: '', name }, { signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      await createUnlessThere(client, binding, signal);
    }
  }
}

async function createUnlessThere(
  client: Client,
  binding: ClusterRoleBinding,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await client.create(clusterRoleBindings, structuredClone(binding), { signal });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
