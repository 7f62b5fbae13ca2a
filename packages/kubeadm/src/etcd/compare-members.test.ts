import type { Node } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { controlPlaneMachineFixture as machineFixture } from '../testing/control-plane-objects.js';
import { compareMachinesAndMembers, type EtcdMember } from './etcd-state.js';

const now = Date.parse('2025-01-01T01:00:00Z');

function member(name: string, id = '7'): EtcdMember {
  return { id, name, isLearner: false, alarms: [] };
}

function nodes(...names: readonly string[]): Map<string, Node> {
  return new Map(
    names.map((text) => {
      const [name = '', ageSeconds = '3600'] = text.split(':');
      const creationTimestamp = new Date(now - Number(ageSeconds) * 1000).toISOString();
      return [name, { apiVersion: 'v1', kind: 'Node', metadata: { name, creationTimestamp } }] as const;
    }),
  );
}

const noProblem = { machinesWithoutMember: [], problems: [] };

describe('compareMachinesAndMembers', () => {
  it.each([
    {
      name: 'matches if each member has a machine',
      machines: [machineFixture('m1', { node: 'n1' }), machineFixture('m2', { node: 'n2' })],
      members: [member('n1'), member('n2')],
      nodes: nodes('n1', 'n2'),
      then: { match: true, ...noProblem },
    },
    {
      name: 'does not match if etcd is unreachable and machines run',
      machines: [machineFixture('m1', { node: 'n1' })],
      members: undefined,
      nodes: nodes('n1'),
      then: { match: false, ...noProblem },
    },
    {
      name: 'matches if etcd is unreachable and no machine runs yet',
      machines: [machineFixture('m1', { node: null })],
      members: undefined,
      nodes: nodes(),
      then: { match: true, ...noProblem },
    },
    {
      name: 'matches if the machine without a member has a new Node',
      machines: [machineFixture('m1', { node: 'n1' }), machineFixture('m2', { node: 'n2' })],
      members: [member('n1')],
      nodes: nodes('n1', 'n2:120'),
      then: { match: true, machinesWithoutMember: ['m2'], problems: [] },
    },
    {
      name: 'does not match if the Node of the machine without a member is older than two minutes',
      machines: [machineFixture('m1', { node: 'n1' }), machineFixture('m2', { node: 'n2' })],
      members: [member('n1')],
      nodes: nodes('n1', 'n2:121'),
      then: { match: false, machinesWithoutMember: ['m2'], problems: [] },
    },
    {
      name: 'matches if a deleting machine has lost its member',
      machines: [
        machineFixture('m1', { node: 'n1' }),
        machineFixture('m2', { node: 'n2', deleted: '2025-01-01T00:59:00Z' }),
      ],
      members: [member('n1')],
      nodes: nodes('n1', 'n2'),
      then: { match: true, machinesWithoutMember: ['m2'], problems: [] },
    },
    {
      name: 'does not match if a member has no machine, and no machine is being created',
      machines: [machineFixture('m1', { node: 'n1' })],
      members: [member('n1'), member('stranger')],
      nodes: nodes('n1'),
      then: {
        match: false,
        machinesWithoutMember: [],
        problems: ['Etcd member stranger does not have a corresponding Machine'],
      },
    },
    {
      name: 'matches if a member has no machine while one is being created',
      machines: [machineFixture('m1', { node: 'n1' }), machineFixture('m2', { node: null })],
      members: [member('n1'), member('', '42')],
      nodes: nodes('n1'),
      then: {
        match: true,
        machinesWithoutMember: [],
        problems: ['Etcd member 42 (Name not yet assigned) does not have a corresponding Machine'],
      },
    },
  ])('$name', ({ machines, members, nodes: known, then }) => {
    expect(compareMachinesAndMembers(machines, members, known, now)).toEqual(then);
  });
});
