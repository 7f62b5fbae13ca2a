import type { MachineDeployment } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { VirtualMachineGroup } from '../../api/index.js';
import { type GroupState, planGroup } from './group-plan.js';

const deployment = (name: string, replicas: number, failureDomain?: string) =>
  ({
    metadata: { name },
    spec: { replicas, template: { spec: { ...(failureDomain !== undefined && { failureDomain }) } } },
  }) as unknown as Frozen<MachineDeployment>;
const worker = (vmName: string, of = 'md', deleting = false) => ({ vmName, deployment: of, deleting });
const zone = 'zone.vmware.infrastructure.cluster.x-k8s.io/md';

function group(members: readonly string[], more: { annotations?: object; status?: object } = {}) {
  return {
    metadata: { name: 'prod', annotations: more.annotations ?? {} },
    spec: { bootOrder: [{ members: members.map((name) => ({ kind: 'VirtualMachine', name })) }] },
    status: more.status ?? {},
  } as unknown as Frozen<VirtualMachineGroup>;
}

const placed = (status: string, reason: string, message: string, zoneID?: string) => ({
  members: [
    {
      name: 'a',
      kind: 'VirtualMachine',
      placement: { zoneID },
      conditions: [{ type: 'PlacementReady', status, reason, message }],
    },
  ],
});

const state = (more: Partial<GroupState>): GroupState => ({
  deployments: [deployment('md', 2)],
  workers: [worker('b'), worker('a')],
  zones: ['z1', 'z2'],
  group: undefined,
  ...more,
});

describe('planGroup', () => {
  it.each([
    ['machines are missing', { workers: [worker('a')] }],
    ['a machine is being deleted', { workers: [worker('a'), worker('b', 'md', true)] }],
    ['no replicas are desired', { deployments: [deployment('md', 0)], workers: [] }],
  ])('waits while %s', (_name, more) => {
    expect(planGroup(state(more))).toBeUndefined();
  });

  it('starts with all machines, sorted by name', () => {
    expect(planGroup(state({}))).toEqual({ members: ['a', 'b'], annotations: {} });
  });

  const rows: [string, Partial<GroupState>, string | undefined][] = [
    [
      'the MachineDeployment sets it',
      { deployments: [deployment('md', 2, 'z2')], group: group(['a'], { annotations: { [zone]: 'z1' } }) },
      'z2',
    ],
    ['the namespace has one zone and the group does not exist', { zones: ['z1'] }, 'z1'],
    ['the annotation has it', { group: group(['a', 'b'], { annotations: { [zone]: 'z1' } }) }, 'z1'],
    ['the Supervisor placed a machine', { group: group(['a'], { status: placed('True', 'R', '', 'z2') }) }, 'z2'],
    ['a machine was already placed', { group: group(['a'], { status: placed('False', 'AlreadyPlaced', 'z1') }) }, 'z1'],
    ['the MachineDeployment is new and the namespace has one zone', { zones: ['z1'], group: group([]) }, 'z1'],
    ['no machine is placed yet', { zones: ['z1'], group: group(['a']) }, undefined],
  ];
  it.each(rows)('determines the zone when %s', (_name, more, expected) => {
    expect(planGroup(state(more))?.annotations[zone]).toBe(expected);
  });

  it('adds machines only if their zone is known, and removes deleted machines', () => {
    const later = { workers: [worker('a'), worker('c')] };
    expect(planGroup(state({ ...later, group: group(['a', 'b']) }))?.members).toEqual(['a']);
    const known = group(['a', 'b'], { annotations: { [zone]: 'z1' } });
    expect(planGroup(state({ ...later, group: known }))?.members).toEqual(['a', 'c']);
  });
});
