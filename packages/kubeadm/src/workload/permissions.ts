import { isReason } from '@slipway/kube';
import { type ClusterRoleBinding, clusterRoleBindings, ifPresent } from '@slipway/runtime';
import { parseKubernetesVersion } from '../bootstrap-data/index.js';
import type { UpkeepScope } from './control-plane-workload.js';

const rbacGroup = 'rbac.authorization.k8s.io';

/**
 * With this minor version or a later one, every cluster was created or upgraded by a kubeadm version that creates the
 * bindings itself.
 */
const minorWithout = 38;

/**
 * Bindings that newer versions of kubeadm expect instead of system:masters. A cluster created by an older version lacks them.
 * `kubeadm upgrade` would add them, but replaced machines never run it.
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

/** Creates missing bindings. Existing ones are left unchanged. */
export async function ensurePermissions({ workload, writer, signal }: UpkeepScope, version: string): Promise<void> {
  const { major, minor } = parseKubernetesVersion(version);
  if (major > 1 || minor >= minorWithout) return;
  for (const binding of bindings) {
    const name = binding.metadata.name ?? '';
    if ((await ifPresent(workload.read.get(clusterRoleBindings, { namespace: '', name }, { signal }))) !== undefined)
      continue;
    try {
      await writer.change({
        verb: 'create',
        on: workload,
        resource: clusterRoleBindings,
        object: structuredClone(binding),
        reason: 'PermissionsMissing',
        message: `Created ClusterRoleBinding ${name}, which kubeadm ${version} expects`,
      });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
}
