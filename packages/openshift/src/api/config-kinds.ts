import { atomicList, defineKind, int64, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';
import { anything, openShiftConditions, partOf, text } from './shared.js';

const group = 'config.openshift.io';
const named = object({ name: string({ description: 'Name of the feature gate.' }) });

const customNoUpgrade = object(
  {
    enabled: optional(list(string(), { description: 'Feature gates to enable.' })),
    disabled: optional(list(string(), { description: 'Feature gates to disable.' })),
  },
  { description: 'Feature gates to change with featureSet CustomNoUpgrade. It cannot be undone and blocks upgrades.' },
);

const featureGatesOfVersion = object({
  version: string({ description: 'Version of the cluster that the gates are for, as in ClusterVersion.' }),
  enabled: optional(list(named, { description: 'Feature gates that are enabled.' })),
  disabled: optional(list(named, { description: 'Feature gates that are disabled.' })),
});

export const featureGate = defineKind({
  group,
  kind: 'FeatureGate',
  plural: 'featuregates',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description:
        'FeatureGate lists the feature gates that are enabled in the cluster. The only object is named cluster.',
      subresources: { status: true },
      schema: {
        spec: optional(
          partOf(
            {
              featureSet: text(
                'Predefined set of feature gates, such as TechPreviewNoUpgrade. Empty is the default set. All sets except the default block upgrades.',
              ),
              customNoUpgrade: optional(customNoUpgrade),
            },
            'Feature gates to enable or disable.',
          ),
        ),
        status: optional(
          partOf(
            {
              featureGates: optional(
                list(featureGatesOfVersion, { description: 'Feature gates in effect, by version of the cluster.' }),
              ),
            },
            'Feature gates in effect.',
          ),
        ),
      },
    },
  ],
});

export const infrastructure = defineKind({
  group,
  kind: 'Infrastructure',
  plural: 'infrastructures',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Infrastructure describes the platform that the cluster runs on. The only object is named cluster.',
      subresources: { status: true },
      schema: {
        spec: optional(
          partOf(
            { platformSpec: optional(anything('Configuration of the platform, under the field of its type.')) },
            'Desired configuration of the platform.',
          ),
        ),
        status: optional(
          partOf(
            {
              infrastructureName: text('Unique name of the cluster, which names its infrastructure. It never changes.'),
              apiServerInternalURI: text('URL of the API server for components inside the cluster.'),
              apiServerURL: text('URL of the API server for clients outside the cluster.'),
              controlPlaneTopology: text('Topology of the control plane, such as HighlyAvailable or SingleReplica.'),
              platformStatus: optional(
                anything('Observed platform: its type, and details under the field of that type.'),
              ),
            },
            'Observed platform of the cluster.',
          ),
        ),
      },
    },
  ],
});

const operandVersion = object({
  name: string({
    description: 'Name of the component with this version. The name operator refers to the operator itself.',
  }),
  version: string({ description: 'Version that is completely rolled out.' }),
});

const relatedObject = object({
  group: string({ description: 'API group of the object.' }),
  resource: string({ description: 'Resource of the object, in plural.' }),
  namespace: text('Namespace of the object. Empty for cluster-scoped objects.'),
  name: string({ description: 'Name of the object. Empty selects all objects of the resource.' }),
});

export const clusterOperator = defineKind({
  group,
  kind: 'ClusterOperator',
  plural: 'clusteroperators',
  shortNames: ['co'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'ClusterOperator reports the state of one operator of the cluster.',
      subresources: { status: true },
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.versions[?(@.name=="operator")].version' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Degraded")].status' },
        { name: 'Since', type: 'date', jsonPath: '.status.conditions[?(@.type=="Available")].lastTransitionTime' },
      ],
      schema: {
        spec: optional(anything('Desired state. It has no fields.')),
        status: optional(
          object(
            {
              conditions: openShiftConditions,
              versions: optional(list(operandVersion, { description: 'Versions that the operator has reached.' })),
              relatedObjects: optional(
                atomicList(relatedObject, {
                  description: 'Objects that belong to the operator and are collected for support.',
                }),
              ),
              extension: optional(anything('Additional operator-specific information.')),
            },
            { description: 'Observed state of the operator.' },
          ),
        ),
      },
    },
  ],
});

const releaseHistory = partOf(
  {
    version: text('Version of the release.'),
    state: text('Completed if the release is completely rolled out, otherwise Partial.'),
  },
  'Release that was applied.',
);

export const clusterVersion = defineKind({
  group,
  kind: 'ClusterVersion',
  plural: 'clusterversions',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'ClusterVersion describes the release that the cluster runs and the one it is upgrading to.',
      subresources: { status: true },
      schema: {
        spec: optional(anything('Desired version of the cluster.')),
        status: optional(
          partOf(
            {
              desired: optional(
                partOf({ version: text('Version of the release.') }, 'Release that the cluster is reconciled to.'),
              ),
              history: optional(
                list(releaseHistory, { description: 'Releases of the cluster, the latest one first.' }),
              ),
              observedGeneration: optional(
                int64({ description: 'Value of metadata.generation that was last reconciled.' }),
              ),
            },
            'Observed version of the cluster.',
          ),
        ),
      },
    },
  ],
});

export const network = defineKind({
  group,
  kind: 'Network',
  plural: 'networks',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Network describes the network of the cluster. The only object is named cluster.',
      schema: {
        spec: optional(anything('Desired network configuration.')),
        status: optional(
          partOf(
            { networkType: text('Network plugin that is deployed, such as OVNKubernetes or OpenShiftSDN.') },
            'Network configuration in effect.',
          ),
        ),
      },
    },
  ],
});

export const featureGates = resourceOf(featureGate);
export const infrastructures = resourceOf(infrastructure);
export const clusterOperators = resourceOf(clusterOperator);
export const clusterVersions = resourceOf(clusterVersion);
export type FeatureGate = ObjectOf<typeof featureGate>;
export type Infrastructure = ObjectOf<typeof infrastructure>;
export type ClusterOperator = ObjectOf<typeof clusterOperator>;
export type ClusterVersion = ObjectOf<typeof clusterVersion>;
