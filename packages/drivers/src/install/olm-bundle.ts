import { type KubeObject, stringifyYaml } from '@slipway/kube';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import { driverKinds, operatorName, operatorNamespace } from '../api/index.js';
import { imagesIn } from '../render/index.js';
import type { BundleFile } from './bundle.js';
import { operatorManifest, type OperatorInstallation, shippedRules } from './operator-manifest.js';
import { writtenObjects } from './written-objects.js';

const packageName = 'vsphere-kubernetes-drivers-operator';
const channel = 'stable';

/** Returns the `registry+v1` bundle for the Operator Lifecycle Manager, with one version. */
export function olmBundle(installation: Pick<OperatorInstallation, 'image' | 'version'>): BundleFile[] {
  const definitions = driverKinds.map((kind) => ({
    name: `manifests/${kind.plural}.${kind.group}.yaml`,
    text: stringifyYaml(toCustomResourceDefinition(kind)),
  }));
  const annotations = {
    'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
    'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
    'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
    'operators.operatorframework.io.bundle.package.v1': packageName,
    'operators.operatorframework.io.bundle.channels.v1': channel,
    'operators.operatorframework.io.bundle.channel.default.v1': channel,
    'com.redhat.openshift.versions': 'v4.16',
  };
  return [
    ...definitions,
    { name: `manifests/${packageName}.clusterserviceversion.yaml`, text: stringifyYaml(serviceVersion(installation)) },
    { name: 'metadata/annotations.yaml', text: stringifyYaml({ annotations }) },
    {
      name: 'roles.yaml',
      text: rolesElsewhere(installation)
        .map((role) => stringifyYaml(role))
        .join('---\n'),
    },
  ];
}

function serviceVersion(installation: Pick<OperatorInstallation, 'image' | 'version'>): KubeObject {
  const { image, version } = installation;
  const deployment = operatorManifest({ ...installation, isOpenShift: true }).find(
    ({ kind }) => kind === 'Deployment',
  ) as KubeObject;
  const images = imagesIn(writtenObjects());
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${packageName}.v${version}`,
      annotations: {
        'alm-examples': JSON.stringify(examples()),
        capabilities: 'Seamless Upgrades',
        categories: 'Storage, Cloud Provider',
        containerImage: image,
        'features.operators.openshift.io/disconnected': 'true',
        'olm.skipRange': `<${version}`,
      },
    },
    spec: {
      displayName: 'vSphere Kubernetes Drivers Operator',
      description:
        'Installs the cloud provider and the storage driver for vSphere, and keeps them at versions that are compatible with the cluster.',
      version,
      maturity: 'beta',
      provider: { name: 'Slipway' },
      minKubeVersion: '1.28.0',
      installModes: [
        { type: 'OwnNamespace', supported: true },
        { type: 'SingleNamespace', supported: true },
        { type: 'MultiNamespace', supported: false },
        { type: 'AllNamespaces', supported: true },
      ],
      relatedImages: [image, ...images].map((each) => ({ name: nameOfImage(each), image: each })),
      customresourcedefinitions: { owned: driverKinds.map(ownedKind) },
      install: {
        strategy: 'deployment',
        spec: {
          ...permissions(),
          deployments: [{ name: operatorName, label: deployment.metadata.labels ?? {}, spec: deployment['spec'] }],
        },
      },
    },
  };
}

function nameOfImage(image: string): string {
  return (
    image
      .replace(/[@:].*$/, '')
      .replace(/^.*\//, '')
      .replace(/[^a-z0-9-]/gi, '-') + image.replace(/^.*:/, '-').replace(/[^a-z0-9-]/gi, '-')
  );
}

/**
 * Returns Roles in the namespaces of the drivers, which an administrator applies once. OLM creates Roles only in the namespace of
 * the operator, and ClusterRoles instead would grant access to all Secrets.
 */
function rolesElsewhere(installation: Pick<OperatorInstallation, 'image' | 'version'>): KubeObject[] {
  return operatorManifest({ ...installation, isOpenShift: true }).filter(
    ({ kind, metadata }) => (kind === 'Role' || kind === 'RoleBinding') && metadata.namespace !== operatorNamespace,
  );
}

function permissions(): object {
  const { cluster, namespaced } = shippedRules();
  const own = namespaced.get(operatorNamespace) ?? [];
  const constraint = {
    apiGroups: ['security.openshift.io'],
    resources: ['securitycontextconstraints'],
    resourceNames: ['hostnetwork-v2'],
    verbs: ['use'],
  };
  return {
    permissions: [{ serviceAccountName: operatorName, rules: own }],
    clusterPermissions: [{ serviceAccountName: operatorName, rules: [...cluster, constraint] }],
  };
}

function ownedKind({ kind, plural, group, storageVersion }: (typeof driverKinds)[number]): object {
  return {
    kind,
    name: `${plural}.${group}`,
    version: storageVersion,
    displayName: kind,
    description:
      kind === 'VDOConfig'
        ? 'The drivers of a cluster.'
        : kind === 'VsphereCloudConfig'
          ? 'A connection to a vCenter.'
          : 'Source of the compatibility matrix.',
    specDescriptors:
      kind === 'VDOConfig'
        ? [{ path: 'storageProvider', displayName: 'Storage driver', description: 'Configuration of the CSI driver.' }]
        : [],
    statusDescriptors: [
      {
        path: 'conditions',
        displayName: 'Conditions',
        description: 'Observed state.',
        'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'],
      },
    ],
  };
}

function examples(): object[] {
  const apiVersion = 'vdo.vmware.com/v1alpha1';
  return [
    { apiVersion, kind: 'VDOConfig', metadata: { name: 'vdo' }, spec: { cloudProvider: {}, storageProvider: {} } },
    {
      apiVersion,
      kind: 'VsphereCloudConfig',
      metadata: { name: 'vcenter' },
      spec: { vcIp: 'vcenter.example.com', insecure: false, credentials: 'vcenter-creds', datacenters: ['dc'] },
    },
    {
      apiVersion,
      kind: 'CompatibilityConfig',
      metadata: { name: 'compat-matrix-config' },
      spec: { matrixURL: 'https://example.com/matrix.json' },
    },
  ];
}
