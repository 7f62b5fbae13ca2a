import type { KubeObject } from '@slipway/kube';
import type { PolicyRule, Resource } from '@slipway/runtime';
import { csiNamespace, operatorNamespace, systemNamespace } from '../api/index.js';
import { isClusterScoped } from '../render/index.js';

/** What the operator may do: in the whole cluster, and in each of its namespaces. */
export interface OperatorRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaced: ReadonlyMap<string, readonly PolicyRule[]>;
}

const writing = ['create', 'delete', 'get', 'patch'];

/**
 * The rules follow from what the operator does: it watches what its controllers watch, and writes the objects of the
 * manifests by their names. Objects that grant rights need two verbs more, on exactly those names, since the operator does
 * not have these rights itself. What is left stands here, beside the call that needs it.
 */
export function operatorRules(
  watched: readonly Resource[],
  written: readonly KubeObject[],
  namespace = operatorNamespace,
): OperatorRules {
  const names = namesOf(written);
  const cluster: PolicyRule[] = [
    ...watchRules(watched.filter(({ plural }) => plural !== 'configmaps')),
    rule('vdo.vmware.com', ['vdoconfigs', 'vspherecloudconfigs', 'compatibilityconfigs'], ['patch']),
    rule(
      'vdo.vmware.com',
      ['vdoconfigs/status', 'vspherecloudconfigs/status', 'compatibilityconfigs/status'],
      ['patch'],
    ),
    // The label that tells which nodes the drivers have.
    rule('', ['nodes'], ['patch']),
    // Before the storage driver is removed or made anew.
    rule('storage.k8s.io', ['volumeattachments'], ['list']),
    // Its id never changes, and stands for the cluster.
    rule('', ['namespaces'], ['get'], [systemNamespace]),
    // Where OpenShift runs a storage driver of its own.
    rule('operator.openshift.io', ['clustercsidrivers'], ['get']),
    rule('', ['events'], ['create', 'patch']),
    // Whoever asks for metrics is asked about.
    rule('authentication.k8s.io', ['tokenreviews'], ['create']),
    rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
    ...names
      .filter(({ item }) => item.namespace === '')
      .flatMap(({ item, plural, all }) => objectRules(item.group, plural, all)),
  ];
  const namespaced = new Map<string, PolicyRule[]>();
  for (const place of [systemNamespace, csiNamespace])
    namespaced.set(place, [
      ...names
        .filter(({ item }) => item.namespace === place)
        .flatMap(({ item, plural, all }) => objectRules(item.group, plural, all)),
      // Accounts are named by the user; they are read by name, never listed.
      rule('', ['secrets'], ['get']),
      // What is wrong with a driver, and a fresh start for one that is stuck.
      rule('', ['pods'], ['list', 'delete']),
      rule('', ['events'], ['list']),
    ]);
  namespaced.get(systemNamespace)?.push(
    rule('coordination.k8s.io', ['leases'], ['get'], ['cloud-controller-manager']),
    // Bound to the account of the cloud provider.
    rule('rbac.authorization.k8s.io', ['roles'], ['bind'], ['extension-apiserver-authentication-reader']),
  );
  namespaced.get(csiNamespace)?.push(rule('', ['configmaps'], ['get'], ['vsphere-csi-cluster-id']));
  namespaced.set(namespace, [
    rule('', ['configmaps'], ['create', 'delete', 'get', 'list', 'patch', 'watch']),
    rule('', ['secrets'], ['get']),
    rule('coordination.k8s.io', ['leases'], ['create', 'get', 'update']),
  ]);
  return { cluster, namespaced };
}

function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}

function watchRules(watched: readonly Resource[]): PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, plural } of watched) groups.set(group, (groups.get(group) ?? new Set()).add(plural));
  return [...groups].map(([group, plurals]) => rule(group, [...plurals].sort(), ['get', 'list', 'watch']));
}

interface NamedObjects {
  readonly item: { readonly group: string; readonly namespace: string };
  readonly plural: string;
  readonly all: string[];
}

const plurals: Readonly<Record<string, string>> = {
  CSIDriver: 'csidrivers',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  CustomResourceDefinition: 'customresourcedefinitions',
  DaemonSet: 'daemonsets',
  Deployment: 'deployments',
  Namespace: 'namespaces',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
};

function namesOf(objects: readonly KubeObject[]): NamedObjects[] {
  const found = new Map<string, NamedObjects>();
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const group = apiVersion.includes('/') ? apiVersion.replace(/\/.*$/, '') : '';
    const namespace = isClusterScoped(object) ? '' : (metadata.namespace ?? '');
    const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
    const key = [group, plural, namespace].join('/');
    const entry = found.get(key) ?? { item: { group, namespace }, plural, all: [] };
    if (!entry.all.includes(metadata.name ?? '')) entry.all.push(metadata.name ?? '');
    found.set(key, entry);
  }
  return [...found.values()].map((entry) => ({ ...entry, all: entry.all.sort() }));
}

function objectRules(group: string, plural: string, names: string[]): PolicyRule[] {
  const rules = [rule(group, [plural], plural === 'namespaces' ? ['create', 'get', 'patch'] : writing, names)];
  if (plural === 'clusterroles' || plural === 'roles') rules.push(rule(group, [plural], ['bind', 'escalate'], names));
  return rules;
}
