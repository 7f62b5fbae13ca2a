import { componentResources, providerTypes } from '@slipway/clusterctl';
import type { PolicyRule } from '@slipway/runtime';
import { approverObjects } from '../install/approver-manifests.js';
import { infrastructureGroup, namespaces } from '../names.js';
import { type Platform, platformKinds, platforms } from '../platforms/index.js';
import { infraClusterProtection, migrationPolicyObjects } from '../admission-policies/policies.js';

/** RBAC rules of a service account, cluster-wide and by namespace. */
export interface AccessRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

const reading = ['get', 'list', 'watch'];
/** Verbs of server-side apply, including creation. Restricted to known object names. */
const applying = ['create', 'patch'];
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';
const plain = (kind: string): string => `${kind.toLowerCase()}s`;
const providerPlurals = providerTypes.map(plain);

/**
 * Returns the rules of the process that runs the operator, the provider operator and the migration. It reads all objects of a
 * kind for its caches, and writes only in its own namespace or by name. The release ships CRDs and roles of providers, so these
 * are read-only.
 */
export function operatorRules(webhookConfigurations: readonly NamedObject[] = []): AccessRules {
  const role = approverObjects('')[0]?.metadata.name ?? '';
  return {
    cluster: [
      ...watchedRules(),
      rule('config.openshift.io', ['clusteroperators/status'], ['patch'], ['cluster-api']),
      // To report in the conditions of providers in any namespace why they are not installed.
      rule('operator.cluster.x-k8s.io', providerPlurals, ['patch']),
      rule('operator.cluster.x-k8s.io', suffixed(providerPlurals, 'status'), ['patch']),
      // To create the role of the approver, which grants only permissions that the operator has itself.
      rule(rbac, ['clusterroles', 'clusterrolebindings'], applying, [role]),
      ...policyRules(platforms.flatMap((platform) => infraClusterProtection(platform, ''))),
      ...webhookRules(webhookConfigurations),
      rule('', ['events'], ['create', 'patch']),
      // To authenticate metrics requests.
      rule('authentication.k8s.io', ['tokenreviews'], ['create']),
      rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
    ],
    namespaced: {
      [namespaces.clusterApi]: ownNamespaceRules(),
      [namespaces.approver]: [rule('apps', ['deployments'], applying, ['machine-approver-capi'])],
    },
  };
}

export interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}

function suffixed(plurals: readonly string[], subresource: string): string[] {
  return plurals.map((plural) => `${plural}/${subresource}`);
}

/** Returns a rule for the finalizers of owners, which OpenShift requires to set blockOwnerDeletion. */
function owning(group: string, plurals: readonly string[]): PolicyRule {
  return rule(group, suffixed(plurals, 'finalizers'), ['update']);
}

function watchedRules(): PolicyRule[] {
  const groups = new Map<string, string[]>();
  for (const { group, plural } of componentResources) groups.set(group, [...(groups.get(group) ?? []), plural]);
  return [
    rule('config.openshift.io', ['featuregates', 'infrastructures', 'clusterversions', 'clusteroperators'], reading),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], reading),
    rule('machine.openshift.io', ['machines', 'machinesets', 'controlplanemachinesets'], reading),
    rule('operator.cluster.x-k8s.io', providerPlurals, reading),
    rule('clusterctl.cluster.x-k8s.io', ['providers'], ['list']),
    rule('cluster.x-k8s.io', ['clusters', 'machines', 'machinesets'], reading),
    rule(infrastructureGroup, infraPlurals('cluster'), reading),
    ...[...groups].map(([group, plurals]) => rule(group, plurals, reading)),
  ];
}

function infraPlurals(purpose: 'cluster' | 'machine' | 'template', of: readonly Platform[] = platforms): string[] {
  return of.map((platform) => plain(platformKinds(platform)[purpose]));
}

function policyRules(objects: readonly NamedObject[]): PolicyRule[] {
  const names = [...new Set(objects.map(({ metadata }) => metadata.name ?? ''))];
  return [rule(admission, ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'], applying, names)];
}

/** Returns rules for the webhook configurations of the release's providers, by name. */
function webhookRules(configurations: readonly NamedObject[]): PolicyRule[] {
  const plurals = [...new Set(configurations.map(({ kind }) => plain(kind)))];
  return plurals.map((plural) => {
    const named = configurations.filter(({ kind }) => plain(kind) === plural);
    return rule(
      admission,
      [plural],
      [...applying, 'delete'],
      [...new Set(named.map((one) => one.metadata.name ?? ''))],
    );
  });
}

function ownNamespaceRules(): PolicyRule[] {
  const changing = [...applying, 'delete'];
  return [
    // Components of providers, with their manifests and rendered caches.
    rule('', ['configmaps', 'services', 'serviceaccounts'], changing),
    // Secrets also contain user data, credentials of machines, and kubeconfigs.
    rule('', ['secrets'], [...changing, 'update']),
    rule('apps', ['deployments'], changing),
    rule('operator.cluster.x-k8s.io', ['coreproviders', 'infrastructureproviders'], applying),
    rule('clusterctl.cluster.x-k8s.io', ['providers'], changing),
    // The Namespace is applied with the components, so that it is re-created if it was deleted.
    rule('', ['namespaces'], ['patch'], [namespaces.clusterApi]),
    // To report why a provider does not start.
    rule('', ['pods'], ['list']),
    rule('cluster.x-k8s.io', ['clusters'], ['create']),
    rule('cluster.x-k8s.io', ['clusters/status'], ['patch']),
    rule(infrastructureGroup, infraPlurals('cluster'), ['create']),
    rule(infrastructureGroup, suffixed(infraPlurals('cluster'), 'status'), ['patch']),
    rule(infrastructureGroup, ['azureclusteridentities'], ['get', ...applying]),
    rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
  ];
}

const migratedPlatforms = platforms.filter(({ type }) => type === 'AWS' || type === 'OpenStack');

/** Returns the additional rules of machine migration, which writes Machine API resources. */
export function migrationRules(): AccessRules {
  const ofMachines = infraPlurals('machine', migratedPlatforms);
  const templates = infraPlurals('template', migratedPlatforms);
  const kept = ['machines', 'machinesets'];
  const changing = ['create', 'patch', 'delete'];
  return {
    cluster: [
      rule(infrastructureGroup, [...ofMachines, ...templates], reading),
      ...policyRules(migrationPolicyObjects()),
    ],
    namespaced: {
      [namespaces.machineApi]: [
        rule('machine.openshift.io', ['machines'], changing),
        // MachineSets are not created: a Cluster API set without a Machine API resource is not mirrored.
        rule('machine.openshift.io', ['machinesets'], ['patch', 'delete']),
        rule('machine.openshift.io', suffixed(kept, 'status'), ['patch']),
        owning('machine.openshift.io', ['machinesets']),
      ],
      [namespaces.clusterApi]: [
        rule('cluster.x-k8s.io', kept, changing),
        rule('cluster.x-k8s.io', suffixed(kept, 'status'), ['patch']),
        owning('cluster.x-k8s.io', kept),
        rule(infrastructureGroup, ofMachines, changing),
        rule(infrastructureGroup, suffixed(ofMachines, 'status'), ['patch']),
        rule(infrastructureGroup, templates, ['create', 'delete']),
      ],
    },
  };
}

/** Permissions of the Cluster API controllers in a workload cluster: watch, drain and delete Nodes. */
export const controllerRules: AccessRules = {
  cluster: [
    rule('', ['nodes'], [...reading, 'patch', 'delete']),
    rule('', ['pods', 'persistentvolumes', 'namespaces'], reading),
    rule('', ['pods/eviction'], ['create']),
    rule('apps', ['daemonsets'], reading),
    rule('storage.k8s.io', ['volumeattachments'], reading),
    // For the health check of the cluster cache.
    { nonResourceURLs: ['/'], verbs: ['get'] },
  ],
  namespaced: {},
};
