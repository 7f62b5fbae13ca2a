import { atomicList, defineKind, int64, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';
import { anything, openShiftConditions, partOf, text } from './shared.js';

const group = 'config.openshift.io';
const named = object({ name: string() });

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
      description: 'Which features that are not for everybody yet are on in this cluster.',
      subresources: { status: true },
      schema: {
        spec: optional(
          partOf({
            featureSet: text,
            customNoUpgrade: optional(
              object({ enabled: optional(list(string())), disabled: optional(list(string())) }),
            ),
          }),
        ),
        status: optional(
          partOf({
            featureGates: optional(
              list(
                object({
                  version: string(),
                  enabled: optional(list(named)),
                  disabled: optional(list(named)),
                }),
              ),
            ),
          }),
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
      description: 'What the cluster runs on.',
      subresources: { status: true },
      schema: {
        spec: optional(partOf({ platformSpec: optional(anything) })),
        status: optional(
          partOf({
            infrastructureName: text,
            apiServerInternalURI: text,
            apiServerURL: text,
            controlPlaneTopology: text,
            platformStatus: optional(anything),
          }),
        ),
      },
    },
  ],
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
      description: 'How a part of the cluster fares.',
      subresources: { status: true },
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.versions[?(@.name=="operator")].version' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Degraded")].status' },
        { name: 'Since', type: 'date', jsonPath: '.status.conditions[?(@.type=="Available")].lastTransitionTime' },
      ],
      schema: {
        spec: optional(anything),
        status: optional(
          object({
            conditions: openShiftConditions,
            versions: optional(list(object({ name: string(), version: string() }))),
            relatedObjects: optional(
              atomicList(object({ group: string(), resource: string(), namespace: text, name: string() })),
            ),
            extension: optional(anything),
          }),
        ),
      },
    },
  ],
});

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
      description: 'Which release the cluster runs, and which it is on its way to.',
      subresources: { status: true },
      schema: {
        spec: optional(anything),
        status: optional(
          partOf({
            desired: optional(partOf({ version: text })),
            history: optional(list(partOf({ version: text, state: text }))),
            observedGeneration: optional(int64()),
          }),
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
      description: 'The network of the cluster.',
      schema: { spec: optional(anything), status: optional(partOf({ networkType: text })) },
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
