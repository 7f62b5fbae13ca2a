import type { KubeObject } from '@slipway/kube';
import { controllersAccount, namespaces, operatorName } from '../names.js';
import { type Platform, platforms } from '../platforms/index.js';
import { monitoringObjects } from './alerts.js';

/** Who of the release installs a manifest, and when: only where the preview is on. */
const previewAnnotations = {
  'include.release.openshift.io/self-managed-high-availability': 'true',
  'include.release.openshift.io/single-node-developer': 'true',
  'release.openshift.io/feature-set': 'CustomNoUpgrade,TechPreviewNoUpgrade,DevPreviewNoUpgrade',
};

/** What the release ships beside the operator, which needs no right to make any of it. */
export function payloadObjects(): readonly KubeObject[] {
  return [...credentialsRequests(), ...accessObjects(), ...monitoringObjects()].map((object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...previewAnnotations, ...object.metadata.annotations } },
  }));
}

export function credentialsRequests(): readonly KubeObject[] {
  return platforms.flatMap((platform) => credentialsRequest(platform) ?? []);
}

function credentialsRequest({ provider, credentials, type }: Platform): KubeObject | undefined {
  if (credentials === undefined) return undefined;
  const { secretName, serviceAccount, providerSpec, cloudTokenPath } = credentials;
  return {
    apiVersion: 'cloudcredential.openshift.io/v1',
    kind: 'CredentialsRequest',
    metadata: {
      namespace: namespaces.credentials,
      name: `openshift-cluster-api-${type === 'PowerVS' ? 'powervs' : provider}`,
      annotations: { 'capability.openshift.io/name': 'CloudCredential+ClusterAPI' },
    },
    spec: {
      secretRef: { namespace: namespaces.clusterApi, name: secretName },
      serviceAccountNames: [serviceAccount],
      providerSpec,
      ...(cloudTokenPath !== undefined && { cloudTokenPath }),
    },
  };
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const reading = ['get', 'list', 'watch'];
const writing = [...reading, 'create', 'update', 'patch'];

/** Definitions may be made, and never changed or taken away: the preview cannot be used to break what others rely on. */
export const operatorRules: readonly Rule[] = [
  {
    apiGroups: ['config.openshift.io'],
    resources: ['featuregates', 'infrastructures', 'clusterversions', 'networks'],
    verbs: reading,
  },
  { apiGroups: ['config.openshift.io'], resources: ['clusteroperators'], verbs: reading },
  { apiGroups: ['config.openshift.io'], resources: ['clusteroperators/status'], verbs: ['get', 'update', 'patch'] },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: [...reading, 'create'] },
  {
    apiGroups: ['machine.openshift.io'],
    resources: ['machines', 'machinesets', 'controlplanemachinesets'],
    verbs: reading,
  },
  { apiGroups: ['operator.cluster.x-k8s.io'], resources: ['*'], verbs: writing },
  {
    apiGroups: ['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io'],
    resources: ['*'],
    verbs: [...writing, 'delete'],
  },
  { apiGroups: [''], resources: ['configmaps', 'secrets', 'serviceaccounts'], verbs: [...writing, 'delete'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: writing },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles', 'clusterrolebindings'], verbs: writing },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    verbs: writing,
  },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: writing },
];

/** What the controllers of Cluster API do in the cluster as in any workload cluster. */
const controllerRules: readonly Rule[] = [
  {
    apiGroups: [''],
    resources: ['nodes', 'pods', 'persistentvolumes'],
    verbs: [...reading, 'patch', 'update', 'delete'],
  },
  { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
  { apiGroups: ['apps'], resources: ['daemonsets'], verbs: reading },
  { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: reading },
];

/** Only where machines may be migrated: then, and only then, are those of Machine API written. */
const migrationRules: readonly Rule[] = [
  {
    apiGroups: ['machine.openshift.io'],
    resources: ['machines', 'machinesets'],
    verbs: [...writing, 'delete'],
  },
  {
    apiGroups: ['machine.openshift.io'],
    resources: ['machines/status', 'machinesets/status'],
    verbs: ['get', 'update', 'patch'],
  },
];

function accessObjects(): readonly KubeObject[] {
  return [
    ...access(operatorName, operatorRules),
    ...access(controllersAccount, controllerRules),
    ...access('machine-api-migration', migrationRules, controllersAccount).map((object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { 'release.openshift.io/feature-gate': 'MachineAPIMigration' },
      },
    })),
  ];
}

function access(part: string, rules: readonly Rule[], account = part): readonly KubeObject[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const name = `openshift-cluster-api-${part}`;
  const namespace = namespaces.clusterApi;
  return [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: rules.map((rule) => ({ ...rule })),
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name: account }],
    },
  ];
}
