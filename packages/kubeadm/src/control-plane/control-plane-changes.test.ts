import type { CallChange, Change } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { controlPlaneFixture, controlPlaneMachineFixture } from '../testing/control-plane-objects.js';
import { memberFixture, viewOf } from '../testing/control-plane-view.js';
import { type ChangeFacts, noteChange, removalChanges, type RemovalDecision } from './control-plane-changes.js';

const calls: string[] = [];
const workload = {
  removeEtcdMember: ({ name }: { readonly name: string }) => Promise.resolve(void calls.push(`remove ${name}`)),
  forwardEtcdLeadership: (from: string, to: string) => Promise.resolve(void calls.push(`move ${from} ${to}`)),
};
const names = ['a', 'b', 'c'];
const facts: ChangeFacts = {
  controlPlane: controlPlaneFixture({ replicas: 3 }),
  cluster: { namespace: 'default', name: 'c' },
  machines: viewOf(
    names.map((name) => controlPlaneMachineFixture(name)),
    { outdated: ['a'] },
  ).machines,
  nodes: [],
  workload: () => Promise.resolve(workload),
};
const leadership = { from: 'a', candidates: ['b', 'c'] };
const release = { type: 'release', machine: 'a', reason: 'PreTerminate', message: 'Machine a is drained' } as const;

function lineOf(change: Change | CallChange<void>): string {
  const { verb, resource, reason, message } = change;
  const action = change.verb === 'call' ? ` ${change.action}` : '';
  return `${verb}${action} ${resource.kind} ${reason}: ${message}`;
}

const moves = (reason: string): string[] =>
  ['b', 'c'].map(
    (to) =>
      `call move etcd leadership Machine ${reason}: Moved etcd leadership from a to ${to} before Machine a is deleted`,
  );

interface Row {
  readonly name: string;
  readonly decision: RemovalDecision;
  readonly leadership?: readonly string[];
  readonly changes: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'deletes a machine after its leadership has moved, with the causes of the rollout',
    decision: { type: 'delete', machine: 'a', reason: 'RollingOut', message: 'outdated', leadership },
    leadership: moves('RollingOut'),
    changes: ['delete Machine RollingOut: Deleted Machine a: outdated (outdated)'],
  },
  {
    name: 'deletes a machine to scale down',
    decision: { type: 'delete', machine: 'b', reason: 'ScalingDown', message: 'the oldest', leadership: undefined },
    changes: ['delete Machine ScalingDown: Deleted Machine b: the oldest'],
  },
  {
    name: 'deletes a machine to remediate it',
    decision: {
      type: 'remediate',
      machine: 'a',
      reason: 'Remediating',
      message: 'the machine failed its health check',
      leadership,
      data: { machine: 'a', atMs: 0, retryCount: 0 },
    },
    leadership: moves('Remediating'),
    changes: ['delete Machine Remediating: Deleted Machine a: the machine failed its health check'],
  },
  {
    name: 'removes the etcd member before the hook of a drained machine',
    decision: { ...release, leadership: undefined, member: memberFixture('a') },
    changes: [
      'call remove etcd member Machine PreTerminate: Removed etcd member a: Machine a is drained',
      'patch Machine PreTerminate: Removed the pre-terminate hook from Machine a: Machine a is drained',
    ],
  },
  {
    name: 'removes the hook alone when the machine has no etcd member',
    decision: { ...release, leadership: undefined, member: undefined },
    changes: ['patch Machine PreTerminate: Removed the pre-terminate hook from Machine a: Machine a is drained'],
  },
  {
    name: 'removes an etcd member without a machine on behalf of the control plane',
    decision: { type: 'removeMember', member: memberFixture('x'), reason: 'UnexpectedMember', message: 'no Machine' },
    changes: ['call remove etcd member KubeadmControlPlane UnexpectedMember: no Machine'],
  },
];

describe('the changes of a removal', () => {
  it.each(rows)('$name', ({ decision, leadership: moved = [], changes }) => {
    const planned = removalChanges(decision, facts);
    expect(planned.leadership.map(lineOf)).toEqual(moved);
    expect(planned.changes.map(lineOf)).toEqual(changes);
  });

  it('call etcd only when they are made, and are assumed to succeed in a dry run', async () => {
    const planned = removalChanges({ ...release, leadership, member: memberFixture('a') }, facts);
    expect(calls).toEqual([]);
    const all = [...planned.leadership, ...planned.changes].filter((change) => change.verb === 'call');
    for (const call of all) await call.run(new AbortController().signal);
    expect(calls).toEqual(['move a b', 'move a c', 'remove a']);
    expect(all.every(({ assume }) => assume !== undefined)).toBe(true);
  });

  it('record an event about the control plane when the deletion of a machine fails', () => {
    const decision = {
      type: 'delete',
      machine: 'a',
      reason: 'ScalingDown',
      message: 'x',
      leadership: undefined,
    } as const;
    expect(removalChanges(decision, facts).changes[0]?.failureEvent).toEqual({
      about: facts.controlPlane,
      reason: 'FailedScaleDown',
      message: 'Failed to delete control plane Machine a for cluster default/c control plane',
    });
  });
});

describe('a remediation note', () => {
  const machine = controlPlaneMachineFixture('a', { conditions: { OwnerRemediated: 'False' } });

  it('is a status change with the reason of the condition', () => {
    const condition = {
      type: 'OwnerRemediated',
      status: 'False',
      reason: 'RemediationDeferred',
      message: 'later',
    } as const;
    const change = noteChange(machine, { machine: 'a', condition }, 0);
    expect(lineOf(change as Change)).toBe('status Machine RemediationDeferred: later');
    expect(change.after.status?.deprecated?.v1beta1?.conditions).toMatchObject([
      { type: 'OwnerRemediated', reason: 'WaitingForRemediation', message: 'later' },
    ]);
  });

  it('removes the condition of a machine that is healthy again', () => {
    const change = noteChange(machine, { machine: 'a', condition: undefined }, 0);
    expect(change.reason).toBe('HealthRestored');
    expect(change.after.status?.conditions?.map(({ type }) => type)).not.toContain('OwnerRemediated');
  });
});
