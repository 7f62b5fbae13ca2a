import type { KubeObject } from '@slipway/kube';
import type { PolicyRule, Resource } from '@slipway/runtime';
import { csiNamespace, operatorNamespace, systemNamespace } from '../api/index.js';
import { isClusterScoped } from '../render/index.js';

/** RBAC rules of the operator: cluster-wide, and in each of its namespaces. */
export interface OperatorRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaced: ReadonlyMap<string, readonly PolicyRule[]>;
}

const writing = ['create', 'delete', 'get', 'patch'];

/**
 * Derives the rules from the watches of the controllers and from the objects of the manifests by name. RBAC objects also
 * require the verbs escalate and bind on exactly those names, because the operator does not have their permissions itself.
 * Further rules are listed here with the call that requires them.
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
    // To label initialized nodes.
    rule('', ['nodes'], ['patch']),
    // To check for attached volumes before the CSI driver is removed or re-created.
    rule('storage.k8s.io', ['volumeattachments'], ['list']),
    // To identify the cluster by the UID of kube-system.
    rule('', ['namespaces'], ['get'], [systemNamespace]),
    // To detect the CSI driver of OpenShift.
    rule('operator.openshift.io', ['clustercsidrivers'], ['get']),
    rule('', ['events'], ['create', 'patch']),
    // To authenticate and authorize metrics requests.
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
      // Users choose the names of credential Secrets. They are read by name, never listed.
      rule('', ['secrets'], ['get']),
      // To read the problems of pods, and to delete stuck pods.
      rule('', ['pods'], ['list', 'delete']),
      rule('', ['events'], ['list']),
    ]);
  namespaced.get(systemNamespace)?.push(
    rule('coordination.k8s.io', ['leases'], ['get'], ['cloud-controller-manager']),
    // To bind this built-in Role to the service account of the cloud provider.
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
