import { describe, expect, it } from 'vitest';
import type { KVMCluster } from '../api/index.js';
import { podOf } from './pod-manifest.js';
import { diskClaims, disruptionBudget, documentConfigMap } from './pod-objects.js';
import { type PodSettings, podSettingsDefault } from './pod-settings.js';
import type { VmDocument } from './vm-document.js';

const uuid = '1d3c7a52-0000-4000-8000-000000000001';
const worker: VmDocument = {
  uuid,
  name: 'example-worker-abcde',
  clusterName: 'example',
  isControlPlane: false,
  spec: { resources: { cpu: '4', memory: '8Gi' } },
  cluster: {},
};
const controlPlane: VmDocument = { ...worker, name: 'example-cp-1', isControlPlane: true };
const kvmCluster: KVMCluster = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'KVMCluster',
  metadata: { name: 'example', namespace: 'example' },
  spec: {
    failureDomains: [
      { name: 'rack-1', nodeSelector: { rack: '1' } },
      { name: 'rack-2', hosts: ['node-a', 'node-b'] },
    ],
  },
};
const defaults = { ...podSettingsDefault, launcherImage: 'vmm:test' };
const pod = (document: VmDocument, settings: PodSettings = defaults) =>
  podOf(document, 'example', kvmCluster, settings);
const launcher = (document: VmDocument, settings: PodSettings = defaults) => {
  const [container] = pod(document, settings).spec?.containers ?? [];
  if (container === undefined) throw new Error('no container');
  return container;
};
const volumeOf = (document: VmDocument, name: string): object | undefined =>
  pod(document).spec?.volumes?.find((volume) => volume.name === name);

describe('the pod of a machine', () => {
  it('has no owner reference, and is found by the UUID of the machine [kvm 1]', () => {
    const { metadata } = pod(worker);
    expect(metadata.ownerReferences).toBeUndefined();
    expect(metadata.labels).toEqual({
      'cluster.x-k8s.io/cluster-name': 'example',
      'infrastructure.cluster.x-k8s.io/role': 'worker',
      'infrastructure.cluster.x-k8s.io/kvm-machine-uuid': uuid,
    });
    for (const object of [documentConfigMap(worker, 'example'), disruptionBudget(worker, 'example')])
      expect(object.metadata.ownerReferences).toBeUndefined();
  });

  it('has a readiness gate only for workers, because the control plane serves the Node API itself [kvm 15]', () => {
    const gates = [{ conditionType: 'infrastructure.cluster.x-k8s.io/workload-node-ready' }];
    expect(pod(worker).spec?.['readinessGates']).toEqual(gates);
    expect(pod(controlPlane).spec?.['readinessGates']).toBeUndefined();
  });

  it('has a grace period for the guest, and thirty more seconds for the launcher [kvm 4]', () => {
    const slow = { ...worker, spec: { ...worker.spec, shutdown: { gracePeriodSeconds: 300 } } };
    expect(pod(worker).spec?.terminationGracePeriodSeconds).toBe(120);
    expect(pod(slow).spec?.terminationGracePeriodSeconds).toBe(330);
    expect(launcher(worker).command).toEqual(['slipway', 'vmm', 'run']);
  });

  it.each([
    { name: 'memory of the guest and of QEMU [kvm 27]', spec: worker.spec, cpu: '4', memory: '8992Mi' },
    { name: 'whole CPUs [kvm 28]', spec: { resources: { cpu: '1500m', memory: '1Gi' } }, cpu: '2', memory: '1808Mi' },
    {
      name: 'a custom overhead',
      spec: { resources: { cpu: '1', memory: '1Gi', overhead: { memory: '1Gi' } } },
      cpu: '1',
      memory: '2048Mi',
    },
  ])('sets limits equal to requests: $name', ({ spec, cpu, memory }) => {
    const { resources } = launcher({ ...worker, spec });
    expect(resources).toEqual({ limits: { cpu, memory }, requests: { cpu, memory } });
  });

  it('has exec probes of the launcher, because the guest has the pod IP [kvm 17]', () => {
    for (const document of [worker, controlPlane])
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
        expect(Object.keys(launcher(document)[probe] as object)).toContain('exec');
    expect(JSON.stringify(launcher(worker)['readinessProbe'])).toContain('--port=10250');
    expect(JSON.stringify(launcher(controlPlane)['readinessProbe'])).toContain('--port=6443');
    // Ten minutes to start; restarted after two and a half minutes without an answer.
    expect(launcher(worker)['startupProbe']).toMatchObject({ periodSeconds: 5, failureThreshold: 120 });
    expect(launcher(worker)['livenessProbe']).toMatchObject({ periodSeconds: 30, failureThreshold: 5 });
  });

  it('is privileged only without a device plugin', () => {
    const devices = { kvm: 'devices.example.com/kvm', tun: 'devices.example.com/tun' };
    const plain = launcher(worker, { ...defaults, devices });
    expect(plain['securityContext']).toEqual({ capabilities: { add: ['NET_ADMIN'] } });
    expect(plain.resources?.limits).toMatchObject({ [devices.kvm]: '1', [devices.tun]: '1' });
    expect(launcher(worker)['securityContext']).toMatchObject({ privileged: true });
    expect(volumeOf(worker, 'kvm')).toEqual({ name: 'kvm', hostPath: { path: '/dev/kvm', type: 'CharDevice' } });
    expect(volumeOf({ ...worker, spec: { accelerator: 'tcg' } }, 'kvm')).toBeUndefined();
  });

  it('mounts bootstrap data from an optional Secret, and contains none of it elsewhere', () => {
    expect(volumeOf(worker, 'bootstrap')).toEqual({
      name: 'bootstrap',
      secret: { secretName: 'example-worker-abcde-vm-bootstrap', defaultMode: 0o400, optional: true },
    });
    expect(pod(worker).spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  it('has required anti-affinity for control plane machines, and preferred anti-affinity for workers', () => {
    const required = pod(controlPlane).spec?.['affinity'] as object;
    expect(required).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: {
              matchLabels: { 'cluster.x-k8s.io/cluster-name': 'example', 'cluster.x-k8s.io/control-plane': '' },
            },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    });
    expect(JSON.stringify(pod(worker).spec?.['affinity'])).toContain('preferredDuringScheduling');
  });

  it('is scheduled to its failure domain', () => {
    expect(pod({ ...worker, failureDomain: 'rack-1' }).spec?.nodeSelector).toEqual({ rack: '1' });
    expect(JSON.stringify(pod({ ...worker, failureDomain: 'rack-2' }).spec?.['affinity'])).toContain(
      '"values":["node-a","node-b"]',
    );
  });
});

describe('the storage of a machine', () => {
  const withEtcd = (etcd: NonNullable<VmDocument['spec']['etcd']>): VmDocument => ({ ...controlPlane, spec: { etcd } });

  it('uses a separate host directory for the etcd data of each machine [kvm 38]', () => {
    expect(volumeOf(withEtcd({ storage: 'HostPath', hostPath: '/data/etcd' }), 'etcd')).toEqual({
      name: 'etcd',
      hostPath: { path: '/data/etcd/example/example-cp-1', type: 'DirectoryOrCreate' },
    });
  });

  it('claims the requested etcd storage for control plane machines only', () => {
    const document = withEtcd({ storage: 'PersistentVolume', storageClassName: 'fast' });
    expect(volumeOf(document, 'etcd')).toMatchObject({ persistentVolumeClaim: { claimName: 'example-cp-1-etcd' } });
    const [claim] = diskClaims(document, 'example');
    expect(claim?.spec).toMatchObject({
      storageClassName: 'fast',
      accessModes: ['ReadWriteOncePod'],
      resources: { requests: { storage: String(15 * 1024 ** 3) } },
    });
    expect(volumeOf({ ...document, isControlPlane: false }, 'etcd')).toBeUndefined();
  });

  it('claims enough storage for all disks, which outlives the pod [kvm 7]', () => {
    const spec = { resources: { disk: '10Gi', dockerVolumeSize: '10Gi' }, diskStorageClassName: 'fast' };
    const document = { ...worker, spec };
    expect(volumeOf(document, 'disks')).toMatchObject({ persistentVolumeClaim: { claimName: `${worker.name}-disks` } });
    const [claim] = diskClaims(document, 'example');
    expect(Number(claim?.spec?.resources?.requests?.['storage'])).toBeGreaterThan(20 * 1024 ** 3);
    expect(volumeOf(worker, 'disks')).toEqual({ name: 'disks', emptyDir: {} });
  });

  it('mounts shared host directories under their tags', () => {
    const hostVolumes = [{ mountTag: 'data', hostPath: '/srv/data', readOnly: true }];
    const document = { ...worker, spec: { hostVolumes } };
    expect(volumeOf(document, 'volume-0')).toMatchObject({ hostPath: { path: '/srv/data', type: 'Directory' } });
    expect(launcher(document).volumeMounts).toContainEqual({
      name: 'volume-0',
      mountPath: '/var/lib/capk/volumes/data',
      readOnly: true,
    });
  });
});
