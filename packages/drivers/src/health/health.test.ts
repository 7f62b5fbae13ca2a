import type { CsiNode, Node } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { MachineFacts } from '../connection/vcenters.js';
import { principalOf } from '../connection/privileges.js';
import { mayTryLogin } from '../connection/login-pause.js';
import { registrationOf } from './driver-health.js';
import { findMachine, machineProblems, nodeStates, swapUuid } from './node-states.js';

const uuid = '420a1b2c-3d4e-5f60-8000-000000000001';
const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'yes', effect: 'NoSchedule' };
const node = (
  name: string,
  spec: Node['spec'] = {},
  systemUUID = '',
  addresses: { type: string; address: string }[] = [],
): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec,
  status: {
    addresses,
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeInfo: { systemUUID, operatingSystem: 'linux' } as never,
  },
});
const machine: MachineFacts = {
  name: 'vm',
  uuid,
  addresses: ['10.0.0.5'],
  hostName: undefined,
  hardware: 'vmx-13',
  isDiskUuidEnabled: false,
  areToolsRunning: false,
  hostVersion: '6.5.0',
};

describe('nodes', () => {
  it('finds a machine by its UUID, plain or byte-swapped, and by address last [drivers 24, drivers 25]', () => {
    expect(swapUuid(uuid)).toBe('2c1b0a42-4e3d-605f-8000-000000000001');
    expect(findMachine(node('a', {}, uuid.toUpperCase()), [machine])).toBe(machine);
    expect(findMachine(node('a', {}, swapUuid(uuid)), [machine])).toBe(machine);
    expect(findMachine(node('a', {}, '', [{ type: 'InternalIP', address: '10.0.0.5' }]), [machine])).toBe(machine);
    expect(findMachine(node('a'), [machine])).toBeUndefined();
  });

  it('reports for each node what it waits for, and problems of its machine', () => {
    const nodes = [
      node('ready', { providerID: 'vsphere://x' }),
      node('other', { providerID: 'aws:///x' }),
      node('pending', { taints: [taint] }, uuid),
      node('lost', { taints: [taint] }),
      node('flag'),
    ];
    const states = nodeStates({ nodes, machines: [machine], places: 'vc1 (DC0)' });
    expect(states.map(({ name, state, reason }) => [name, state, reason])).toEqual([
      ['flag', 'failed', 'KubeletWithoutCloudProvider'],
      ['lost', 'failed', 'NodeNotFound'],
      ['other', 'foreign', 'ForeignProviderID'],
      ['pending', 'pending', 'WaitingForCPI'],
      ['ready', 'ready', undefined],
    ]);
    const { cpi, csi } = machineProblems(nodes, [machine]);
    expect(cpi.map(({ reason }) => reason)).toEqual(['ToolsNotRunning']);
    expect(csi.map(({ reason }) => reason)).toEqual(['DiskUUIDDisabled', 'HardwareTooOld', 'HostTooOld']);
  });

  it('counts a node only if the driver is in its CSINode [drivers 6]', () => {
    const csiNode = (driver: string): CsiNode => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: {},
      spec: { drivers: [{ name: driver, nodeID: 'x' }] },
    });
    const registration = registrationOf([node('a'), node('b')], (name) =>
      csiNode(name === 'a' ? 'csi.vsphere.vmware.com' : 'other'),
    );
    expect(registration).toEqual({ registered: 1, missing: ['b'] });
  });

  it('returns no principal for a user without a domain [drivers 14]', () => {
    expect([principalOf('u@vsphere.local'), principalOf('CORP\\u'), principalOf('u')]).toEqual([
      'VSPHERE.LOCAL\\u',
      'CORP\\u',
      undefined,
    ]);
  });

  it('backs off with an unchanged password, and finally stops [drivers 11]', () => {
    const minute = 60_000;
    const at = (failures: number, minutes: number, isSamePassword = true): boolean =>
      mayTryLogin({ failures, lastCheckMs: 0, isSamePassword, nowMs: minutes * minute });
    expect([at(1, 0), at(1, 1), at(2, 1), at(2, 2), at(4, 15), at(5, 10_000), at(5, 0, false)]).toEqual([
      false,
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});
