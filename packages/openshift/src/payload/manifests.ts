import type { KubeObject } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import type { ReleaseAssets } from '../install/providers.js';
import { controllersAccount, namespaces, operatorName, tokenSecret } from '../names.js';
import { type Platform, platforms } from '../platforms/index.js';
import { monitoringObjects } from './alerts.js';
import { type AccessRules, controllerRules, migrationRules, operatorRules } from './operator-rules.js';
import { componentsOf } from './shipped-components.js';

/** Annotations that let the cluster version operator install an object only with the tech preview feature set. */
const previewAnnotations = {
  'include.release.openshift.io/self-managed-high-availability': 'true',
  'include.release.openshift.io/single-node-developer': 'true',
  'release.openshift.io/feature-set': 'CustomNoUpgrade,TechPreviewNoUpgrade,DevPreviewNoUpgrade',
};

/**
 * Returns the objects that the release ships, so that the operator needs no permission to create them. `own` are its CRDs and
 * webhooks.
 */
export function payloadObjects(assets: ReleaseAssets, own: readonly KubeObject[] = []): readonly KubeObject[] {
  const { shipped, carried } = componentsOf(assets);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespaces.clusterApi } },
    ...accountObjects(),
    ...own,
    ...credentialsRequests(),
    ...shipped,
    ...accessObjects(carried),
    ...monitoringObjects(),
  ].map((object) => ({
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

/** Returns the service accounts, and the token Secret of the one with which Cluster API accesses this cluster. */
export function accountObjects(): readonly KubeObject[] {
  const namespace = namespaces.clusterApi;
  const accounts = [operatorName, controllersAccount].map((name) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name },
  }));
  const annotations = { 'kubernetes.io/service-account.name': controllersAccount };
  return [
    ...accounts,
    // The Secret comes after its service account. Otherwise the token controller would delete it.
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: tokenSecret, annotations },
      type: 'kubernetes.io/service-account-token',
    },
  ];
}

function accessObjects(carried: readonly KubeObject[]): readonly KubeObject[] {
  const webhooks = carried.filter(({ kind }) => kind.endsWith('WebhookConfiguration'));
  const gate = { 'release.openshift.io/feature-gate': 'MachineAPIMigration' };
  return [
    ...access(operatorName, operatorRules(webhooks)),
    ...access(controllersAccount, controllerRules),
    ...access('machine-api-migration', migrationRules(), operatorName).map((object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: gate },
    })),
  ];
}

function access(part: string, { cluster, namespaced }: AccessRules, account = part): readonly KubeObject[] {
  return [
    ...roleObjects(part, cluster, account),
    ...Object.entries(namespaced).flatMap(([namespace, rules]) => roleObjects(part, rules, account, namespace)),
  ];
}

/** Returns a Role and its binding, or a ClusterRole and ClusterRoleBinding without a namespace. */
function roleObjects(
  part: string,
  rules: readonly PolicyRule[],
  account: string,
  namespace?: string,
): readonly KubeObject[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const name = `openshift-cluster-api-${part}`;
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return [
    { apiVersion: `${apiGroup}/v1`, kind, metadata, rules: rules.map((rule) => ({ ...rule })) },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup, kind, name },
      subjects: [{ kind: 'ServiceAccount', namespace: namespaces.clusterApi, name: account }],
    },
  ];
}
