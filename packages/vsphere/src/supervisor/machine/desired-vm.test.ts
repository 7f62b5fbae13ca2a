import { readFileSync } from 'node:fs';
import { labels } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import type { VirtualMachine, VmOperatorVersion } from '../../api/index.js';
import { vmOperatorVersions } from '../../api/index.js';
import { fillVirtualMachine, type VmFacts } from './desired-vm.js';

interface Case {
  readonly controlPlane?: boolean;
  readonly initialized?: boolean;
  readonly supportsReadinessProbe?: boolean;
  readonly spec?: object;
  readonly version?: VmOperatorVersion;
  readonly placement?: VmFacts['placement'];
  readonly network?: VmFacts['network'];
}

function factsOf(given: Case): VmFacts {
  const { controlPlane = false, initialized = true, supportsReadinessProbe = true, version = 'v1alpha5' } = given;
  const machineLabels = controlPlane ? { [labels.controlPlane]: '' } : { [labels.deploymentName]: 'prod-md-0' };
  return {
    vsphereMachine: {
      metadata: { name: 'prod-x', namespace: 'ns' },
      spec: { imageName: 'ubuntu', className: 'small', ...given.spec },
    },
    machine: { metadata: { name: 'prod-x', labels: machineLabels }, spec: { bootstrap: { dataSecretName: 'data' } } },
    cluster: {
      metadata: { name: 'prod', namespace: 'ns' },
      spec: {},
      status: { initialization: { controlPlaneInitialized: initialized } },
    },
    version,
    supportsReadinessProbe,
    network: given.network,
    placement: given.placement ?? {},
  } as unknown as VmFacts;
}

function made(given: Case, existing?: Pick<VirtualMachine, 'spec'>): VirtualMachine {
  const vm = {
    apiVersion: '',
    kind: 'VirtualMachine',
    metadata: { name: 'prod-x' },
    ...existing,
  } as unknown as VirtualMachine;
  fillVirtualMachine(vm, factsOf(given), existing === undefined);
  return vm;
}

describe('fillVirtualMachine', () => {
  it('fills in the fields of a worker', () => {
    const vm = made({ placement: { zone: 'zone-1' }, spec: { storageClass: 'gold', minHardwareVersion: 'vmx-19' } });
    expect(vm.metadata).toMatchObject({
      labels: {
        'capv.vmware.com/cluster.name': 'prod',
        'capw.vmware.com/cluster.name': 'prod',
        'capv.vmware.com/cluster.role': 'node',
        'capw.vmware.com/cluster.role': 'node',
        'cluster.x-k8s.io/cluster-name': 'prod',
        'cluster.x-k8s.io/deployment-name': 'prod-md-0',
        'topology.kubernetes.io/zone': 'zone-1',
      },
      annotations: { 'vsphere-tag': 'WorkerVmVmAATag' },
    });
    expect(vm.spec).toEqual({
      imageName: 'ubuntu',
      className: 'small',
      storageClass: 'gold',
      minHardwareVersion: 19,
      reserved: { resourcePolicyName: 'prod' },
      powerState: 'PoweredOn',
      powerOffMode: 'Hard',
      bootstrap: { cloudInit: { rawCloudConfig: { name: 'data', key: 'user-data' } } },
    });
  });

  it('sets no readiness probe on the first control plane machine, nor if the load balancer has its own [vsphere 48]', () => {
    const probe = (given: Case) => made({ controlPlane: true, ...given }).spec?.readinessProbe;
    expect(probe({ initialized: false })).toBeUndefined();
    expect(probe({ supportsReadinessProbe: false })).toBeUndefined();
    expect(probe({ controlPlane: false })).toBeUndefined();
    expect(probe({})).toEqual({ tcpSocket: { port: 6443 } });
    const kept = made(
      { controlPlane: true, initialized: false },
      { spec: { readinessProbe: { tcpSocket: { port: 6443 } } } },
    );
    expect(kept.spec?.readinessProbe).toEqual({ tcpSocket: { port: 6443 } });
  });

  it('refers to the bootstrap data by the key user-data [vsphere 49]', () => {
    expect(made({}).spec?.bootstrap?.cloudInit?.rawCloudConfig).toEqual({ name: 'data', key: 'user-data' });
  });

  it('assigns all workers to one module group [vsphere 50]', () => {
    const group = (given: Case) => made(given).metadata.annotations?.['vsphere-cluster-module-group'];
    expect(group({})).toBe('prod-workers-0');
    expect(group({ controlPlane: true })).toBe('control-plane-group');
  });

  it('keeps fields and volumes that other clients changed', () => {
    const existing = {
      className: 'large',
      imageName: 'vmi-1',
      volumes: [{ name: 'other', persistentVolumeClaim: { claimName: 'c' } }],
    };
    const vm = made({ spec: { volumes: [{ name: 'etcd', capacity: { storage: '4Gi' } }] } }, { spec: existing });
    expect(vm.spec).toMatchObject({ className: 'large', imageName: 'vmi-1' });
    expect(vm.spec?.volumes).toEqual([
      { name: 'other', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'prod-x-etcd', persistentVolumeClaim: { claimName: 'prod-x-etcd' } },
    ]);
    fillVirtualMachine(vm, factsOf({ spec: { volumes: [{ name: 'etcd', capacity: {} }] } }), false);
    expect(vm.spec?.volumes).toHaveLength(2);
  });

  it('sets affinity and policies at creation only', () => {
    const affinity = { vmAffinity: {} };
    const given = {
      spec: { policies: [{ kind: 'ComputePolicy', name: 'p' }] },
      placement: { affinity, groupName: 'prod' },
    };
    expect(made(given).spec).toMatchObject({
      affinity,
      groupName: 'prod',
      policies: [{ kind: 'ComputePolicy', name: 'p' }],
    });
    expect(made(given, { spec: {} }).spec).not.toHaveProperty('affinity');
    expect(made(given, { spec: {} }).spec).not.toHaveProperty('policies');
  });

  it.each(vmOperatorVersions)('writes no field that VM Operator does not serve in %s [vsphere 51]', (version) => {
    const interfaces = [
      {
        name: 'eth0',
        network: { apiVersion: 'a/v1', kind: 'SubnetSet', name: 'n' },
        gateway4: 'None',
        mtu: 1500,
        ipamModes: ['IPv4'],
      },
    ];
    const vm = made({
      version,
      controlPlane: true,
      network: { interfaces, vlans: [{ id: 1, link: 'eth1', name: 'v' }] },
      placement: { affinity: { vmAffinity: {} }, groupName: 'prod' },
      spec: {
        storageClass: 's',
        minHardwareVersion: 'vmx-19',
        policies: [{ kind: 'P', name: 'p' }],
        volumes: [{ name: 'v', capacity: {} }],
      },
    });
    const served = servedFields(version);
    expect(pathsOf(vm.spec, 'spec').filter((path) => !served.has(path))).toEqual([]);
  });
});

function servedFields(version: string): ReadonlySet<string> {
  const file = new URL('../../../test/fixtures/vm-operator/virtualmachines.txt', import.meta.url);
  const part =
    readFileSync(file, 'utf8')
      .split(/^## /m)
      .find((text) => text.startsWith(`${version} `)) ?? '';
  return new Set(part.split('\n').map((line) => line.split('\t', 1)[0] ?? ''));
}

function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [path.replace(/\[\]$/, '')];
  const own = path.endsWith('[]') ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, `${path}.${key}`))];
}
