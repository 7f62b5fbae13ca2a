import { cloneJson, type Frozen, type KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { clusterConversion } from '../api/conversions/cluster.js';
import { machineConversion, machineDeploymentConversion } from '../api/conversions/machines.js';
import { ipAddressClaimConversions } from '../api/conversions/others.js';
import { conversionDataAnnotation } from './conversion.js';
import { createConverter } from './converter.js';

const infrastructure = 'infrastructure.cluster.x-k8s.io';
const contract = { apiVersionOf: (group: string) => `${group}/v1beta1` };
const convertCluster = createConverter([clusterConversion], contract);

function cluster(spec: object, status?: object): KubeObject {
  const object = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'c', namespace: 'ns' },
    spec,
  };
  return status === undefined ? object : { ...object, status };
}

async function downAndUp(object: KubeObject, change: (old: KubeObject) => void): Promise<KubeObject> {
  const [old] = await convertCluster([object], 'v1beta1');
  if (old === undefined) throw new Error('nothing converted');
  const changed = cloneJson(old) as KubeObject;
  change(changed);
  const [stored] = await convertCluster([changed], 'v1beta2');
  if (stored === undefined) throw new Error('nothing converted');
  return stored;
}

describe('a conversion', () => {
  it('saves the storage version in the annotation, and removes the annotation when converting back', async () => {
    const object = cluster({ paused: true });
    const [old] = await convertCluster([object], 'v1beta1');
    expect(old?.metadata.annotations).toEqual({
      [conversionDataAnnotation]: '{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","spec":{"paused":true}}',
    });
    expect(await downAndUp(object, () => {})).toEqual(object);
  });

  const booleans = [
    { name: 'keeps unset when a client writes false for it', before: {}, old: false, after: {} },
    { name: 'keeps false when a client writes false', before: { paused: false }, old: false, after: { paused: false } },
    {
      name: 'keeps false when a client omits it',
      before: { paused: false },
      old: undefined,
      after: { paused: false },
    },
    { name: 'sets true', before: { paused: false }, old: true, after: { paused: true } },
    { name: 'replaces true with false', before: { paused: true }, old: false, after: {} },
  ];
  it.each(booleans)('restores tri-state booleans: $name [14.46]', async ({ before, old, after }) => {
    const serviceDomain = { clusterNetwork: { serviceDomain: 'd' } };
    const stored = await downAndUp(cluster({ ...before, ...serviceDomain }), (object) => {
      object['spec'] = { ...(object['spec'] as object), paused: old };
    });
    expect(stored['spec']).toEqual({ ...after, ...serviceDomain });
  });

  it('keeps a change of the client, and restores fields that the old version lacks', async () => {
    const object: KubeObject = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'm', namespace: 'ns' },
      spec: {
        clusterName: 'c',
        minReadySeconds: 5,
        version: 'v1.35.0',
        bootstrap: {},
        infrastructureRef: ref('DevMachine'),
      },
      status: { failureDomain: 'fd1', phase: 'Updating' },
    };
    const old = machineConversion.down(object as Frozen<KubeObject>, contract.apiVersionOf);
    expect(old).toMatchObject({ status: { phase: 'Running' } });
    (old['spec'] as { version: string }).version = 'v1.36.0';
    expect(machineConversion.up(old as Frozen<KubeObject>)).toMatchObject({
      spec: { minReadySeconds: 5, version: 'v1.36.0' },
      status: { failureDomain: 'fd1', phase: 'Updating' },
    });
  });

  it('ignores an invalid annotation', () => {
    const object = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'c', annotations: { [conversionDataAnnotation]: '{"spec":', other: 'x' } },
      spec: { paused: true },
    };
    expect(clusterConversion.up(object)).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'c', annotations: { other: 'x' } },
      spec: { paused: true },
    });
  });

  it('omits zero values that the storage version rejects', () => {
    const stored = clusterConversion.up({
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'c' },
      spec: { controlPlaneEndpoint: { host: '', port: 0 }, clusterNetwork: {}, availabilityGates: [] },
      status: { observedGeneration: 0, infrastructureReady: false },
    });
    expect(stored).toMatchObject({ spec: {}, status: { initialization: { infrastructureProvisioned: false } } });
    expect(stored['spec']).toEqual({});
  });

  it('passes values of the wrong type to validation', () => {
    const object = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'c' },
      spec: { topology: 'x', infrastructureRef: 7 },
      status: null,
    };
    expect(clusterConversion.up(object)).toMatchObject({ spec: { topology: 'x', infrastructureRef: 7 }, status: null });
  });
});

describe('a converter', () => {
  it('looks up each kind once, and writes references with the version of the contract [14.46]', async () => {
    const lookups: string[] = [];
    const convert = createConverter([clusterConversion], {
      apiVersionOf: async (group, kind) => {
        lookups.push(kind);
        return `${group}/v1alpha7`;
      },
    });
    const objects = [1, 2].map(() => cluster({ infrastructureRef: ref('DevCluster') }));
    const converted = await convert(objects, 'v1beta1');
    expect(lookups).toEqual(['DevCluster']);
    expect(converted.map((object) => object['spec'])).toEqual(
      Array(2).fill({
        infrastructureRef: { apiVersion: `${infrastructure}/v1alpha7`, kind: 'DevCluster', name: 'r', namespace: 'ns' },
      }),
    );
  });

  it('fails without a CRD for a reference', async () => {
    const convert = createConverter([clusterConversion], {
      apiVersionOf: () => Promise.reject(new Error('no definition of DevCluster')),
    });
    await expect(convert([cluster({ infrastructureRef: ref('DevCluster') })], 'v1beta1')).rejects.toThrow(
      'no definition',
    );
  });

  it('converts between two old versions through the storage version', async () => {
    const convert = createConverter(ipAddressClaimConversions, contract);
    const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const [converted] = await convert(
      [
        {
          apiVersion: 'ipam.cluster.x-k8s.io/v1alpha1',
          kind: 'IPAddressClaim',
          metadata: { name: 'a', namespace: 'ns' },
          status: { conditions: [condition] },
        },
      ],
      'v1beta1',
    );
    expect(converted).toMatchObject({
      apiVersion: 'ipam.cluster.x-k8s.io/v1beta1',
      status: { conditions: [condition] },
    });
  });
});

describe('MachineDeployment', () => {
  it('moves every field to its new path', () => {
    const stored = machineDeploymentConversion.up({
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'MachineDeployment',
      metadata: { name: 'md', namespace: 'ns' },
      spec: {
        clusterName: 'c',
        minReadySeconds: 3,
        progressDeadlineSeconds: 600,
        rolloutAfter: '2026-01-01T00:00:00Z',
        machineNamingStrategy: { template: 't' },
        selector: {},
        strategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: 1, maxUnavailable: '10%', deletePolicy: 'Oldest' },
          remediation: { maxInFlight: '20%' },
        },
        template: {
          spec: {
            clusterName: 'c',
            nodeDrainTimeout: '1m30.9s',
            bootstrap: {
              configRef: { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta1', kind: 'K', name: 'k', uid: 'u' },
            },
            infrastructureRef: { apiVersion: `${infrastructure}/v1beta1`, kind: 'DevMachineTemplate', name: 'r' },
          },
        },
      },
      status: { readyReplicas: 1, updatedReplicas: 2, v1beta2: { readyReplicas: 3, upToDateReplicas: 4 } },
    });
    expect(stored).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: 'md', namespace: 'ns' },
      spec: {
        clusterName: 'c',
        deletion: { order: 'Oldest' },
        machineNaming: { template: 't' },
        remediation: { maxInFlight: '20%' },
        rollout: {
          after: '2026-01-01T00:00:00Z',
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } },
        },
        selector: {},
        template: {
          spec: {
            clusterName: 'c',
            minReadySeconds: 3,
            deletion: { nodeDrainTimeoutSeconds: 90 },
            bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'K', name: 'k' } },
            infrastructureRef: ref('DevMachineTemplate'),
          },
        },
      },
      status: {
        readyReplicas: 3,
        upToDateReplicas: 4,
        deprecated: { v1beta1: { readyReplicas: 1, updatedReplicas: 2 } },
      },
    });
  });
});

function ref(kind: string) {
  return { apiGroup: infrastructure, kind, name: 'r' };
}
