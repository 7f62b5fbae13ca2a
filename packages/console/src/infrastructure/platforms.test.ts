import type { Observed } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { driversOf } from './drivers.js';
import { kvmHostsOf } from './kvm-hosts.js';
import { vcentersOf } from './vcenters.js';

function newObject(kind: string, name: string, parts: { readonly spec?: object; readonly status?: object }): Observed {
  const apiVersion = kind === 'VDOConfig' ? 'vdo.vmware.com/v1alpha1' : 'infrastructure.cluster.x-k8s.io/v1beta2';
  return { apiVersion, kind, metadata: { namespace: 'default', name }, ...parts } as unknown as Observed;
}

const server = 'vc.example';
const notReady = {
  initialization: { provisioned: true },
  conditions: [
    { type: 'Ready', status: 'False', reason: 'Broken', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ],
};

describe('vCenters in the infrastructure view', () => {
  const parts = {
    clusters: [
      newObject('VSphereCluster', 'a', { spec: { server } }),
      newObject('VSphereCluster', 'b', { spec: { server } }),
    ],
    machines: [
      newObject('VSphereVM', 'a-1', { spec: { server }, status: { taskRef: 'task-7' } }),
      newObject('VSphereVM', 'b-1', { spec: { server }, status: notReady }),
      newObject('VSphereVM', 'other', { spec: { server: 'elsewhere.example' } }),
    ],
    configs: [newObject('VDOConfig', 'a', { status: { connections: [{ name: 'main', server, version: '8.0.3' }] } })],
    nowMs: 600_000,
  };
  const session = { username: 'slipway@vsphere.local', isLoggedIn: true, idleMs: 90_000 };

  it('show clusters, machines, tasks and the version', () => {
    expect(vcentersOf({ ...parts, sessions: undefined })).toEqual({
      [server]: {
        server,
        version: '8.0.3',
        clusters: 2,
        machines: 2,
        tasks: [{ machine: 'a-1', task: 'task-7' }],
        unhealthy: 1,
      },
    });
  });

  it.each([
    ['a cluster that was never provisioned', {}],
    ['a provisioned cluster', { initialization: { provisioned: true } }],
  ])('count %s as unhealthy while its vCenter is unreachable', (_name, status) => {
    const condition = { type: 'VCenterAvailable', status: 'False', reason: 'VCenterUnreachable', message: 'refused' };
    const ready = { ...condition, type: 'Ready', reason: 'NotReady' };
    const conditions = [condition, ready].map((one) => ({ ...one, lastTransitionTime: '2026-01-01T00:00:00Z' }));
    const clusters = [newObject('VSphereCluster', 'a', { spec: { server }, status: { ...status, conditions } })];
    const found = vcentersOf({ ...parts, clusters, machines: [], sessions: undefined });
    expect(found[server]?.unhealthy).toBe(1);
  });

  it('show sessions to the minute, and only those of vCenters with visible clusters', () => {
    const sessions = [
      { ...session, server },
      { ...session, server: 'elsewhere.example' },
    ];
    const found = vcentersOf({ ...parts, sessions });
    expect(Object.keys(found)).toEqual([server]);
    expect(found[server]?.sessions).toEqual([{ username: session.username, isLoggedIn: true, usedAt: 480_000 }]);
    expect(vcentersOf({ ...parts, clusters: [], sessions })).toEqual({});
  });
});

describe('hosts of virtual machines in the infrastructure view', () => {
  it('show the sum of the resources of their virtual machines', () => {
    const vm = { host: 'rack-1', cpus: 2, memoryMiB: 2_048, qemuVersion: '8.2.2' };
    const found = kvmHostsOf([
      newObject('KVMMachine', 'a', { status: { machineState: 'running', vm } }),
      newObject('KVMMachine', 'b', {
        status: { ...notReady, machineState: 'failed', vm: { ...vm, qemuVersion: '7.2.0' } },
      }),
      newObject('KVMMachine', 'not placed', { status: {} }),
    ]);
    expect(found).toEqual({
      'rack-1': {
        host: 'rack-1',
        machines: 2,
        running: 1,
        unhealthy: 1,
        cpus: 4,
        memoryMiB: 4_096,
        qemu: ['7.2.0', '8.2.2'],
      },
    });
  });
});

describe('drivers in the infrastructure view', () => {
  it.each([
    {
      name: 'the upgrade path to the newest compatible version',
      status: { installedVersion: '3.3.0', desiredVersion: '3.4.0', availableUpgrade: '3.5.0', health: 'Progressing' },
      told: { tone: 'wait', path: ['3.3.0', '3.4.0', '3.5.0'] },
    },
    {
      name: 'a single version if no newer one is available',
      status: { installedVersion: '3.5.0', desiredVersion: '3.5.0', health: 'Healthy' },
      told: { tone: 'good', path: ['3.5.0'] },
    },
    {
      name: 'the message of an unhealthy driver',
      status: { installedVersion: '3.5.0', health: 'Unhealthy', message: 'no pod is ready' },
      told: { tone: 'bad', message: 'no pod is ready' },
    },
  ])('show $name', ({ status, told }) => {
    const found = driversOf([newObject('VDOConfig', 'a', { status: { storageProvider: status } })]);
    expect(found['default/a CSI']).toMatchObject({ driver: 'CSI', ...told });
  });

  it('omit a driver that is not requested', () => {
    const status = { storageProvider: { health: 'NotConfigured' } };
    expect(driversOf([newObject('VDOConfig', 'a', { status })])).toEqual({});
  });
});
