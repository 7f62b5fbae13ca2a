import type { KubeObject, ObjectMeta } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';

/** Constructors for objects that every driver manifest contains. */
export const serviceAccount = (namespace: string, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
});

const rbac = 'rbac.authorization.k8s.io';

export const clusterRole = (name: string, rules: readonly PolicyRule[]): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

export const role = (namespace: string, name: string, rules: readonly PolicyRule[]): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind: 'Role',
  metadata: { name, namespace },
  rules,
});

interface Account {
  readonly name: string;
  readonly namespace: string;
}

export const binding = (
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  metadata: ObjectMeta,
  roleRef: { readonly kind: 'Role' | 'ClusterRole'; readonly name: string },
  ...accounts: readonly Account[]
): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata,
  roleRef: { apiGroup: rbac, ...roleRef },
  subjects: accounts.map((account) => ({ kind: 'ServiceAccount', ...account })),
});

export const allow = (group: string, resources: string, verbs: string): PolicyRule => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs: verbs.split(' '),
});

/** Selects control plane nodes by the current or the legacy label. */
export const controlPlaneAffinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'].map((key) => ({
        matchExpressions: [{ key, operator: 'Exists' }],
      })),
    },
  },
};

export const controlPlaneTolerations = [
  { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
];

/** Toleration of the taint for uninitialized nodes with any value: some installers set a value other than `true`. */
export const uninitializedToleration = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  operator: 'Exists',
  effect: 'NoSchedule',
};
