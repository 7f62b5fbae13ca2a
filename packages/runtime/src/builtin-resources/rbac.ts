import { type BuiltinObject, clusterResource, type LabelSelectorValue, namespacedResource } from './define.js';

export type PolicyRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};
export type Subject = { kind: string; name: string; apiGroup?: string; namespace?: string };
export type RoleRef = { apiGroup: string; kind: string; name: string };

const group = 'rbac.authorization.k8s.io';
type Version = 'rbac.authorization.k8s.io/v1';

export type Role = BuiltinObject<Version, 'Role', { rules?: PolicyRule[] | null }>;
export const roles = namespacedResource<Role>(group, 'v1', 'Role', 'roles');

export type ClusterRole = BuiltinObject<
  Version,
  'ClusterRole',
  { rules?: PolicyRule[] | null; aggregationRule?: { clusterRoleSelectors?: LabelSelectorValue[] } }
>;
export const clusterRoles = clusterResource<ClusterRole>(group, 'v1', 'ClusterRole', 'clusterroles');

export type RoleBinding = BuiltinObject<Version, 'RoleBinding', { subjects?: Subject[]; roleRef: RoleRef }>;
export const roleBindings = namespacedResource<RoleBinding>(group, 'v1', 'RoleBinding', 'rolebindings');

export type ClusterRoleBinding = BuiltinObject<
  Version,
  'ClusterRoleBinding',
  { subjects?: Subject[]; roleRef: RoleRef }
>;
export const clusterRoleBindings = clusterResource<ClusterRoleBinding>(
  group,
  'v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
);
