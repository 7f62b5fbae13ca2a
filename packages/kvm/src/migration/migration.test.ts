import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { KVMMachineTemplate } from '../api/index.js';
import { exportTemplate } from './export-plan.js';
import type { LegacyConfig } from './legacy-config.js';
import { planMigration, quantity } from './migration-plan.js';

const worker = { cpus: 4, memory: '8GB', disk: 40, dockerVolumeSizeGB: 50 };
const config: LegacyConfig = {
  apiVersion: 'provider.giantswarm.io/v1alpha1',
  kind: 'KVMConfig',
  metadata: { name: 'x7h2k', labels: { 'release.giantswarm.io/version': '14.0.0' } },
  spec: {
    cluster: {
      id: 'x7h2k',
      calico: { subnet: '192.168.0.0', cidr: 16 },
      kubernetes: { api: { domain: 'api.x7h2k.k8s.example.com', securePort: 443, clusterIPRange: '172.31.0.0/16' } },
      masters: [{ id: 'm1' }],
      workers: [{ id: 'w1' }, { id: 'w2' }, { id: 'w3' }],
    },
    kvm: {
      masters: [{ cpus: 2, memory: '4G' }],
      workers: [worker, worker, { ...worker, hostVolumes: [{ mountTag: 'data', hostPath: '/srv/data' }] }],
      k8sKVM: { storageType: 'hostPath' },
      portMappings: [{ name: 'http', nodePort: 31000, targetPort: 30010 }],
      network: { flannel: { vni: 7 } },
    },
  },
  status: { kvm: { nodeIndexes: { m1: 1, w1: 2 } } },
};
const plan = planMigration({ config, kubernetesVersion: 'v1.35.0', imageUrl: 'https://images.example.com/node.qcow2' });
const of = (kind: string): (KubeObject & { spec: Record<string, unknown> })[] =>
  plan.objects.filter((object) => object.kind === kind) as never;

describe('planMigration', () => {
  it('keeps the endpoint, networks, iSCSI initiator names and the release', () => {
    const endpoint = { host: 'api.x7h2k.k8s.example.com', port: 443 };
    expect(of('Cluster')[0]).toMatchObject({
      metadata: { labels: { 'release.giantswarm.io/version': '14.0.0' } },
      spec: {
        controlPlaneEndpoint: endpoint,
        clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] }, services: { cidrBlocks: ['172.31.0.0/16'] } },
      },
    });
    expect(of('KVMCluster')[0]?.spec).toMatchObject({
      controlPlaneEndpoint: endpoint,
      controlPlaneExposure: { type: 'Service', exposeEtcd: true },
    });
    expect(
      of('KVMMachine').map(({ spec }) => (spec['iscsi'] as { initiatorName?: string } | undefined)?.initiatorName),
    ).toEqual([
      'iqn.2016-04.com.coreos.iscsi:giantswarm-x7h2k-master-1',
      'iqn.2016-04.com.coreos.iscsi:giantswarm-x7h2k-worker-2',
      undefined,
      undefined,
    ]);
  });

  it('creates one template for the control plane and one for each size of workers', () => {
    expect(of('KVMMachineTemplate').map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      [
        'x7h2k-control-plane',
        {
          template: {
            spec: {
              resources: { cpu: '2', memory: '4Gi' },
              etcd: { storage: 'HostPath', hostPath: '/var/lib/slipway/etcd' },
              image: { url: 'https://images.example.com/node.qcow2' },
            },
          },
        },
      ],
      ['x7h2k-worker-1', expect.objectContaining({})],
      ['x7h2k-worker-2', expect.objectContaining({})],
    ]);
    expect(JSON.stringify(of('KVMMachineTemplate')[1])).toContain(
      '"resources":{"cpu":"4","memory":"8Gi","disk":"40Gi","dockerVolumeSize":"50Gi"}',
    );
  });

  it('derives the same identity for each node whenever the plan is computed [kvm 37]', () => {
    const again = planMigration({ config, kubernetesVersion: 'v1.35.0', imageUrl: 'x' });
    const ids = of('Machine').map(({ spec }) => spec['providerID']);
    expect(new Set(ids).size).toBe(4);
    expect(
      again.objects
        .filter(({ kind }) => kind === 'Machine')
        .map((each) => (each as never as { spec: { providerID: string } }).spec.providerID),
    ).toEqual(ids);
    expect(ids[0]).toMatch(/^kvm:\/\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(of('KVMMachine')[1]?.metadata.annotations).toEqual({
      'infrastructure.cluster.x-k8s.io/adopted-deployment': 'worker-w1',
    });
  });

  it('marks the steps that cannot be undone, and lists settings that are not migrated', () => {
    const ends = plan.steps.findIndex(({ canBeUndone }) => !canBeUndone);
    expect(plan.steps[ends]?.title).toBe('Remove the old master');
    expect(plan.steps.slice(ends).every(({ canBeUndone }) => !canBeUndone)).toBe(true);
    expect(plan.notes.join('\n')).toMatch(/vni 7 is not migrated[\s\S]*start with an empty one/);
  });

  it.each([
    ['8GB', '8Gi'],
    ['7.5G', '7.5Gi'],
    ['8Gi', '8Gi'],
    ['512MB', '512Mi'],
  ])('converts %s to %s', (text, expected) => {
    expect(quantity(text)).toBe(expected);
  });
});

describe('exportTemplate', () => {
  const template: KVMMachineTemplate = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'KVMMachineTemplate',
    metadata: { name: 'abc-worker', namespace: 'abc' },
    spec: {
      template: {
        spec: {
          resources: { cpu: '3500m', memory: '8Gi', disk: '40Gi', dockerVolumeSize: '40Gi' },
          image: { url: 'https://images.example.com/node.qcow2', checksum: `sha256:${'a'.repeat(64)}` },
          hostVolumes: [{ mountTag: 'data', hostPath: '/srv' }],
          iscsi: { initiatorName: 'iqn.x' },
        },
      },
    },
  };

  it('converts sizes and images for vSphere, and reports blockers', () => {
    const { object, notes } = exportTemplate(template, 'vsphere');
    expect(object).toMatchObject({
      kind: 'VSphereMachineTemplate',
      metadata: { name: 'abc-worker', namespace: 'abc' },
      spec: { template: { spec: { numCPUs: 4, memoryMiB: 8192, diskGiB: 40, template: 'TO-FILL-IN' } } },
    });
    expect(notes.filter((note) => note.includes('(required)'))).toHaveLength(2);
    expect(notes.join('\n')).toMatch(/dockerVolumeSize/);
  });

  it('converts the image for Metal3', () => {
    expect(exportTemplate(template, 'metal3').object).toMatchObject({
      kind: 'Metal3MachineTemplate',
      spec: {
        template: {
          spec: {
            image: { url: 'https://images.example.com/node.qcow2', checksum: 'a'.repeat(64), checksumType: 'sha256' },
          },
        },
      },
    });
  });
});
