import type { JsonObject, KubeObject } from '@slipway/kube';
import {
  accountObjects,
  clusterOperatorKey,
  clusterVersionKey,
  imagesConfigMap,
  kubeletAuthority,
  namespaces,
  type Platform,
  singletonKey,
  userDataSecret,
} from '@slipway/openshift';
import { type PlatformSample, platformSamples } from './platform-samples.js';

export interface SeedOptions {
  readonly platform: Platform;
  readonly version: string;
  readonly infraName: string;
}

/** An object and, if any, its status, which is written separately. */
export interface SeedObject {
  readonly object: KubeObject;
  readonly status?: JsonObject;
}

const config = 'config.openshift.io/v1';
const user = 'openshift-machine-config-operator';
const controlPlaneSize = 3;

/** Returns those objects of a newly installed OpenShift cluster that the operator reads, for a platform. */
export function seedObjects(options: SeedOptions): readonly SeedObject[] {
  const sample = sampleOf(options.platform);
  return [
    ...[...Object.values(namespaces), user, kubeletAuthority.namespace].map((name) => ({ object: namespace(name) })),
    ...clusterObjects(options, sample),
    ...controlPlaneMachines(options, sample),
    ...accountObjects().map((object) => ({ object })),
    ...secretObjects(sample),
    { object: images(options.platform) },
  ];
}

export function sampleOf(platform: Platform): PlatformSample {
  const sample = platformSamples[platform.type];
  if (sample === undefined) throw new Error(`no sample objects exist for the platform ${platform.type}`);
  return sample;
}

function namespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'openshift.io/cluster-monitoring': 'true' } },
  };
}

function clusterObjects({ version, infraName }: SeedOptions, sample: PlatformSample): readonly SeedObject[] {
  const { name } = singletonKey;
  return [
    { object: { apiVersion: config, kind: 'FeatureGate', metadata: { name }, spec: {} } },
    {
      object: {
        apiVersion: config,
        kind: 'Infrastructure',
        metadata: { name },
        spec: { platformSpec: sample.platformSpec },
      },
      status: {
        infrastructureName: infraName,
        apiServerInternalURI: 'https://api-int.demo.example.com:6443',
        apiServerURL: 'https://api.demo.example.com:6443',
        controlPlaneTopology: 'HighlyAvailable',
        platformStatus: sample.platformStatus,
      },
    },
    {
      object: { apiVersion: config, kind: 'ClusterVersion', metadata: { name: clusterVersionKey.name }, spec: {} },
      status: { desired: { version }, history: [{ version, state: 'Completed' }] },
    },
    {
      object: { apiVersion: config, kind: 'ClusterOperator', metadata: { name: clusterOperatorKey.name }, spec: {} },
    },
  ];
}

function controlPlaneMachines({ infraName }: SeedOptions, sample: PlatformSample): readonly SeedObject[] {
  return Array.from({ length: controlPlaneSize }, (_, index) => {
    const name = `${infraName}-master-${index}`;
    return {
      object: {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'Machine',
        metadata: {
          namespace: namespaces.machineApi,
          name,
          labels: {
            'machine.openshift.io/cluster-api-cluster': infraName,
            'machine.openshift.io/cluster-api-machine-role': 'master',
            'machine.openshift.io/cluster-api-machine-type': 'master',
          },
        },
        spec: { providerID: sample.providerId(name), providerSpec: { value: sample.providerSpec } },
      },
      status: { phase: 'Running' },
    };
  });
}

/** Ignition configuration of new machines, which points to the machine config server. */
const ignition = JSON.stringify({
  ignition: {
    version: '3.2.0',
    config: { merge: [{ source: 'https://api-int.demo.example.com:22623/config/worker' }] },
  },
});

function secretObjects(sample: PlatformSample): readonly SeedObject[] {
  const given = {
    [`${namespaces.machineApi}/${userDataSecret}`]: { userData: ignition, disableTemplating: 'true' },
    ...sample.secrets,
  };
  return Object.entries(given).map(([place, values]) => {
    const [where = '', name = ''] = place.split('/');
    const data = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
    return { object: { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: where, name }, type: 'Opaque', data } };
  });
}

function images({ provider }: Platform): KubeObject {
  const names = [
    'cluster-capi-controllers',
    `${provider}-cluster-api-controllers`,
    'kube-rbac-proxy',
    'cluster-machine-approver',
  ];
  const values = Object.fromEntries(names.map((name) => [name, `registry.demo.example.com/release@sha256:${name}`]));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: namespaces.clusterApi, name: imagesConfigMap },
    data: { 'images.json': JSON.stringify(values) },
  };
}
