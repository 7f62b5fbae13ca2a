import type { KubeObject } from '@slipway/kube';
import { bootstrapClusterRolesText } from './bootstrap-cluster-roles.js';
import { bootstrapControllerRolesText } from './bootstrap-controller-roles.js';
import { bootstrapNamespaceRolesText } from './bootstrap-namespace-roles.js';
import { parsePolicyText, type RoleText } from './policy-text.js';
import { rbacGroup } from './rbac-index.js';

export interface BootstrapPolicy {
  readonly clusterRoles: readonly KubeObject[];
  readonly clusterRoleBindings: readonly KubeObject[];
  readonly roles: readonly KubeObject[];
  readonly roleBindings: readonly KubeObject[];
}

const aggregateLabel = (name: string): string => `rbac.authorization.k8s.io/aggregate-to-${name}`;
const apiVersion = `${rbacGroup}/v1`;
const controllerPrefix = 'system:controller:';

/**
 * Subjects by ClusterRoleBinding, whose ClusterRole has the same name. A subject is `Kind name` or `ServiceAccount
 * namespace/name`.
 */
const clusterBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:cluster-trust-bundle-discovery': ['Group system:serviceaccounts'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  // The binding has no subjects: nodes are authorized by the Node authorizer.
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

const namespaceBindings: readonly (readonly [namespace: string, name: string, role: string, ...subjects: string[]])[] =
  [
    ['kube-public', 'system:controller:bootstrap-signer', '', 'ServiceAccount kube-system/bootstrap-signer'],
    [
      'kube-system',
      'system::extension-apiserver-authentication-reader',
      'extension-apiserver-authentication-reader',
      'User system:kube-controller-manager',
      'User system:kube-scheduler',
    ],
    [
      'kube-system',
      'system::leader-locking-kube-controller-manager',
      '',
      'User system:kube-controller-manager',
      'ServiceAccount kube-system/kube-controller-manager',
      'ServiceAccount kube-system/leader-election-controller',
    ],
    [
      'kube-system',
      'system::leader-locking-kube-scheduler',
      '',
      'User system:kube-scheduler',
      'ServiceAccount kube-system/kube-scheduler',
    ],
    ['kube-system', 'system:controller:bootstrap-signer', '', 'ServiceAccount kube-system/bootstrap-signer'],
    ['kube-system', 'system:controller:cloud-provider', '', 'ServiceAccount kube-system/cloud-provider'],
    ['kube-system', 'system:controller:token-cleaner', '', 'ServiceAccount kube-system/token-cleaner'],
  ];

/** Returns roles and bindings of a new cluster. Each call returns new objects, which the caller owns. */
export function bootstrapPolicy(): BootstrapPolicy {
  const controllers = parsePolicyText(bootstrapControllerRolesText);
  const clusterRoles = [...parsePolicyText(bootstrapClusterRolesText), ...controllers];
  return {
    clusterRoles: clusterRoles.map(toClusterRole),
    clusterRoleBindings: [
      ...Object.entries(clusterBindings).map(([name, subjects]) => clusterRoleBinding(name, subjects)),
      ...controllers.map((role) => {
        const account = role.name.slice(controllerPrefix.length);
        return clusterRoleBinding(role.name, [`ServiceAccount kube-system/${account}`]);
      }),
    ],
    roles: parsePolicyText(bootstrapNamespaceRolesText).map(toRole),
    roleBindings: namespaceBindings.map(([namespace, name, role, ...subjects]) => ({
      apiVersion,
      kind: 'RoleBinding',
      metadata: { ...bootstrapMetadata(name), namespace },
      roleRef: { apiGroup: rbacGroup, kind: 'Role', name: role || name },
      subjects: subjects.map(toSubject),
    })),
  };
}

function bootstrapMetadata(name: string): {
  name: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
} {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

function toClusterRole(role: RoleText): KubeObject {
  const metadata = bootstrapMetadata(role.name);
  for (const name of role.aggregateTo) metadata.labels[aggregateLabel(name)] = 'true';
  const object: KubeObject = { apiVersion, kind: 'ClusterRole', metadata };
  if (role.aggregates.length > 0) {
    const selectors = role.aggregates.map((name) => ({ matchLabels: { [aggregateLabel(name)]: 'true' } }));
    object['aggregationRule'] = { clusterRoleSelectors: selectors };
  }
  object['rules'] = role.rules.length > 0 ? role.rules.map((rule) => ({ ...rule })) : null;
  return object;
}

function toRole(role: RoleText): KubeObject {
  const metadata = { ...bootstrapMetadata(role.name), namespace: role.namespace };
  return { apiVersion, kind: 'Role', metadata, rules: role.rules.map((rule) => ({ ...rule })) };
}

function clusterRoleBinding(name: string, subjects: readonly string[]): KubeObject {
  const binding: KubeObject = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: bootstrapMetadata(name),
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
  };
  if (subjects.length > 0) binding['subjects'] = subjects.map(toSubject);
  return binding;
}

function toSubject(text: string): Record<string, string> {
  const [kind = '', path = ''] = text.split(' ');
  if (kind !== 'ServiceAccount') return { apiGroup: rbacGroup, kind, name: path };
  const [namespace = '', name = ''] = path.split('/');
  return { kind, name, namespace };
}
