import { componentResources, providerTypes } from '@slipway/clusterctl';
import type { PolicyRule } from '@slipway/runtime';
import { approverObjects } from '../install/approver-manifests.js';
import { infrastructureGroup, namespaces } from '../names.js';
import { type Platform, platformKinds, platforms } from '../platforms/index.js';
import { infraClusterProtection, migrationPolicyObjects } from './policies.js';

/** What an account may do: in the whole cluster, and in namespaces. */
export interface AccessRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

const reading = ['get', 'list', 'watch'];
/** Server-side apply, which makes what is not there: of objects whose names are known, and of no others. */
const applying = ['create', 'patch'];
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';
const plain = (kind: string): string => `${kind.toLowerCase()}s`;
const providerPlurals = providerTypes.map(plain);

/**
 * Of the one process that is operator, provider operator and migration. It looks at whole kinds, since caches do, and
 * writes in its own namespace, or by name. Definitions and roles of providers come with the release: it may change neither.
 */
export function operatorRules(webhookConfigurations: readonly NamedObject[] = []): AccessRules {
  const role = approverObjects('')[0]?.metadata.name ?? '';
  return {
    cluster: [
      ...watchedRules(),
      rule('config.openshift.io', ['clusteroperators/status'], ['patch'], ['cluster-api']),
      // Wherever one is, its conditions say why it is not installed.
      rule('operator.cluster.x-k8s.io', providerPlurals, ['patch']),
      rule('operator.cluster.x-k8s.io', suffixed(providerPlurals, 'status'), ['patch']),
      // The approver reads machines, which we do as well: nobody is given what we do not have.
      rule(rbac, ['clusterroles', 'clusterrolebindings'], applying, [role]),
      ...policyRules(platforms.flatMap((platform) => infraClusterProtection(platform, ''))),
      ...webhookRules(webhookConfigurations),
      rule('', ['events'], ['create', 'patch']),
      // Whoever asks for metrics is asked about.
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

/** OpenShift asks whoever gives an object a controller whether he may hold that one back. */
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

/** Of the providers of the release, by name. */
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
    // Components of providers, with their releases and what was rendered of them.
    rule('', ['configmaps', 'services', 'serviceaccounts'], changing),
    // Beside those: user data, credentials of machines, and kubeconfigs.
    rule('', ['secrets'], [...changing, 'update']),
    rule('apps', ['deployments'], changing),
    rule('operator.cluster.x-k8s.io', ['coreproviders', 'infrastructureproviders'], applying),
    rule('clusterctl.cluster.x-k8s.io', ['providers'], changing),
    // Applied with the components, so that one that was deleted comes back.
    rule('', ['namespaces'], ['patch'], [namespaces.clusterApi]),
    // Why a provider does not start.
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

/** Only where machines may be migrated: then, and only then, are those of Machine API written. */
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
        // A set that Machine API does not have stays where it is.
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

/** What the controllers of Cluster API do in the cluster as in any workload cluster: follow nodes, drain and delete them. */
export const controllerRules: AccessRules = {
  cluster: [
    rule('', ['nodes'], [...reading, 'patch', 'delete']),
    rule('', ['pods', 'persistentvolumes', 'namespaces'], reading),
    rule('', ['pods/eviction'], ['create']),
    rule('apps', ['daemonsets'], reading),
    rule('storage.k8s.io', ['volumeattachments'], reading),
    // By which its cache sees whether the cluster answers.
    { nonResourceURLs: ['/'], verbs: ['get'] },
  ],
  namespaced: {},
};
