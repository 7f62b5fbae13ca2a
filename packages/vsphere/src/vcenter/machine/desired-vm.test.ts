import { describe, expect, it } from 'vitest';
import type { VSphereMachine } from '../../api/index.js';
import { type DesiredVmInput, desiredVm, updatedVm, vmNameOf } from './desired-vm.js';

const machineOf = (name: string, failureDomain?: string) =>
  ({
    metadata: { name, namespace: 'ns', labels: { 'cluster.x-k8s.io/control-plane': '' } },
    spec: { bootstrap: { dataSecretName: `${name}-data` }, failureDomain },
  }) as unknown as DesiredVmInput['machine'];
const vsphereMachineOf = (spec: object): DesiredVmInput['vsphereMachine'] =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'VSphereMachine',
    metadata: { name: 'm', namespace: 'ns', uid: 'u' },
    spec: {
      template: 't',
      providerID: 'vsphere://x',
      network: { devices: [{ networkName: 'a', dhcp4: true }] },
      ...spec,
    },
  }) as VSphereMachine;
const vsphereCluster = {
  metadata: {},
  spec: { server: 'vc', thumbprint: 'T' },
} as unknown as DesiredVmInput['vsphereCluster'];
const input = (spec: object = {}, place?: unknown): DesiredVmInput => ({
  vsphereMachine: vsphereMachineOf(spec),
  machine: machineOf('m-1'),
  clusterName: 'c',
  vsphereCluster,
  place: place as DesiredVmInput['place'],
});

describe('vmNameOf', () => {
  it.each([
    ['returns the name of the Machine', {}, 'prod-md-0-abcde-12345', 'prod-md-0-abcde-12345'],
    ['shortens the name on Windows', { os: 'Windows' }, 'prod-md-0-abcde-12345', 'prod-md-0-12345'],
    ['avoids two consecutive dashes on Windows', { os: 'Windows' }, 'prod-abc-md-0-12345', 'prod-abc-12345'],
    ['keeps a short name on Windows', { os: 'Windows' }, 'prod-md-0', 'prod-md-0'],
  ])('%s', (_name, spec, machine, expected) => {
    expect(vmNameOf(vsphereMachineOf(spec), machine)).toBe(expected);
  });

  it('keeps a short name that a template rendered on Windows [vsphere 31]', () => {
    const spec = { os: 'Windows', naming: { template: 'w-{{ .machine.name | trunc -5 }}' } };
    expect(vmNameOf(vsphereMachineOf(spec), 'prod-md-0-abcde-12345')).toBe('w-12345');
  });
});

describe('desiredVm', () => {
  it('combines the VSphereMachine, its cluster and the bootstrap data of its Machine', () => {
    const vm = desiredVm(input());
    expect(vm.metadata).toMatchObject({
      name: 'm-1',
      labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/control-plane': '' },
      ownerReferences: [{ kind: 'VSphereMachine', name: 'm' }],
    });
    expect(vm.metadata.ownerReferences?.[0]?.controller).toBeUndefined();
    expect(vm.spec).toEqual({
      template: 't',
      network: { devices: [{ networkName: 'a', dhcp4: true }] },
      server: 'vc',
      thumbprint: 'T',
      bootstrapRef: { name: 'm-1-data' },
    });
  });

  it('applies the failure domain to the network devices by position', () => {
    const place = {
      zone: { spec: { server: 'vc2', placementConstraint: { folder: 'f', resourcePool: 'p' } } },
      domain: {
        spec: {
          topology: {
            datacenter: 'dc2',
            datastore: 'ds2',
            networkConfigurations: [
              { networkName: 'n1', dhcp4: false, nameservers: ['1.1.1.1'] },
              { networkName: 'n2', dhcp6: true },
            ],
          },
        },
      },
    };
    expect(desiredVm(input({ folder: 'own' }, place)).spec).toMatchObject({
      server: 'vc2',
      datacenter: 'dc2',
      folder: 'f',
      resourcePool: 'p',
      datastore: 'ds2',
      network: {
        devices: [
          { networkName: 'n1', dhcp4: false, nameservers: ['1.1.1.1'] },
          { networkName: 'n2', dhcp6: true },
        ],
      },
    });
  });

  it('keeps immutable fields of an existing VSphereVM if its zone or cluster changes [vsphere 33]', () => {
    const current = { ...desiredVm(input()), status: { ready: true } };
    const moved = {
      ...input({ powerOffMode: 'trySoft' }),
      vsphereCluster: { metadata: {}, spec: { server: 'other' } } as never,
    };
    const after = updatedVm(current, moved);
    expect(after.spec.server).toBe('vc');
    expect(after.spec.powerOffMode).toBe('trySoft');
    expect(updatedVm(after, moved)).toBe(after);
  });

  it('copies addresses that were added to the VSphereMachine later, and keeps those of the VSphereVM', () => {
    const waiting = desiredVm(input({ network: { devices: [{ networkName: 'a' }] } }));
    const given = input({ network: { devices: [{ networkName: 'a', ipAddrs: ['10.0.0.5/24'] }] } });
    expect(updatedVm(waiting, given).spec.network.devices[0]?.ipAddrs).toEqual(['10.0.0.5/24']);
    const own = desiredVm(given);
    expect(updatedVm(own, input({ network: { devices: [{ networkName: 'a' }] } }))).toMatchObject({ spec: own.spec });
  });
});
