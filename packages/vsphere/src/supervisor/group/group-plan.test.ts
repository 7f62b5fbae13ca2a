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
    ['not all machines are there', { workers: [worker('a')] }],
    ['one of them goes', { workers: [worker('a'), worker('b', 'md', true)] }],
    ['there are to be none', { deployments: [deployment('md', 0)], workers: [] }],
  ])('waits while %s', (_name, more) => {
    expect(planGroup(state(more))).toBeUndefined();
  });

  it('begins with all machines, sorted', () => {
    expect(planGroup(state({}))).toEqual({ members: ['a', 'b'], annotations: {} });
  });

  const rows: [string, Partial<GroupState>, string | undefined][] = [
    [
      'the user says so',
      { deployments: [deployment('md', 2, 'z2')], group: group(['a'], { annotations: { [zone]: 'z1' } }) },
      'z2',
    ],
    ['there is only one, before the group', { zones: ['z1'] }, 'z1'],
    ['it was so before', { group: group(['a', 'b'], { annotations: { [zone]: 'z1' } }) }, 'z1'],
    ['the Supervisor placed a machine there', { group: group(['a'], { status: placed('True', 'R', '', 'z2') }) }, 'z2'],
    ['a machine was there already', { group: group(['a'], { status: placed('False', 'AlreadyPlaced', 'z1') }) }, 'z1'],
    ['the deployment is new and there is only one', { zones: ['z1'], group: group([]) }, 'z1'],
    ['nobody knows yet', { zones: ['z1'], group: group(['a']) }, undefined],
  ];
  it.each(rows)('a zone is known when %s', (_name, more, expected) => {
    expect(planGroup(state(more))?.annotations[zone]).toBe(expected);
  });

  it('adds machines only where their zone is known, and forgets those that are gone', () => {
    const later = { workers: [worker('a'), worker('c')] };
    expect(planGroup(state({ ...later, group: group(['a', 'b']) }))?.members).toEqual(['a']);
    const known = group(['a', 'b'], { annotations: { [zone]: 'z1' } });
    expect(planGroup(state({ ...later, group: known }))?.members).toEqual(['a', 'c']);
  });
});
