import { describe, expect, it } from 'vitest';
import { controlPlaneAnnotations } from '../api/index.js';
import { controlPlaneFixture, controlPlaneMachineFixture as machine } from '../testing/control-plane-objects.js';
import { memberFixture, viewOf } from '../testing/control-plane-view.js';
import { planDeletingMachines } from './deletion-planner.js';

const deletingSince = { deleted: '2026-05-01T00:00:00Z' };
const waiting = { Deleting: ['True', 'WaitingForPreTerminateHook', ''] } as const;
const dead = { EtcdMemberHealthy: 'False' } as const;

describe('machines of a control plane that are being deleted', () => {
  it('removes the member with the name of the Node [14.33]', () => {
    const view = viewOf([
      machine('m1', { ...deletingSince, node: 'node-1', conditions: waiting }),
      machine('m2'),
      machine('m3'),
    ]);
    const decision = planDeletingMachines(view);
    expect(decision).toMatchObject({ type: 'release', machine: 'm1', member: { name: 'node-1' } });
    expect(decision).toMatchObject({ leadership: { from: 'node-1', candidates: ['m2', 'm3'] } });
  });

  it('removes its hook last in Kubernetes 1.31 and later [14.34]', () => {
    const others = { annotations: { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/mine': '' } };
    const machines = [machine('a', { ...deletingSince, ...others, conditions: waiting }), machine('b'), machine('c')];
    const planFor = (version: string) =>
      planDeletingMachines(viewOf(machines, { controlPlane: controlPlaneFixture({ replicas: 3, version }) }));
    expect(planFor('v1.31.0')).toMatchObject({ type: 'wait', reason: 'WaitingForPreTerminateHook' });
    expect(planFor('v1.30.9')).toMatchObject({ type: 'release', machine: 'a' });
  });

  it('waits until the machine is drained', () => {
    const view = viewOf([machine('a', deletingSince), machine('b'), machine('c')]);
    expect(planDeletingMachines(view)).toMatchObject({
      type: 'wait',
      reason: 'WaitingForPreTerminateHook',
      ms: 30_000,
    });
  });

  it('unblocks one machine at a time, the one deleted first', () => {
    const [older, newer] = ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z'];
    const machines = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      machine(
        name,
        name === 'a'
          ? { deleted: newer, conditions: waiting }
          : name === 'b'
            ? { deleted: older, conditions: waiting }
            : {},
      ),
    );
    expect(planDeletingMachines(viewOf(machines))).toMatchObject({ type: 'release', machine: 'b' });
  });

  it('waits for the deletion of one machine before it handles the next', () => {
    const released = machine('a', deletingSince);
    delete released.metadata.annotations?.[controlPlaneAnnotations.preTerminateCleanup];
    const view = viewOf([released, machine('b', { ...deletingSince, conditions: waiting }), machine('c')]);
    expect(planDeletingMachines(view)).toMatchObject({ type: 'wait', reason: 'WaitingForMachineDeletion' });
  });

  it('unblocks the last machine immediately', () => {
    const view = viewOf([machine('a', { ...deletingSince, conditions: waiting })], { etcd: undefined });
    expect(planDeletingMachines(view)).toMatchObject({ type: 'release', machine: 'a', member: undefined });
  });

  it.each([
    {
      name: 'no other machine would serve the API',
      machines: [
        machine('a', { ...deletingSince, conditions: waiting }),
        machine('b', { conditions: { APIServerPodHealthy: 'False' } }),
      ],
      reason: 'WaitingForControlPlaneHealth',
    },
    {
      name: 'etcd would lose its quorum',
      machines: [
        machine('a', { ...deletingSince, conditions: waiting }),
        machine('b'),
        machine('c', { conditions: dead }),
      ],
      reason: 'EtcdQuorumAtRisk',
    },
  ])('holds a machine when $name', ({ machines, reason }) => {
    expect(planDeletingMachines(viewOf(machines))).toMatchObject({ type: 'wait', reason });
  });

  describe('while the Node of another machine is unreachable', () => {
    const etcd = { members: ['a', 'b', 'c'].map((name) => memberFixture(name)), leader: 'b' };
    const planWith = (machines: Parameters<typeof viewOf>[0]) =>
      planDeletingMachines(viewOf(machines, { silent: ['c'], etcd }));

    it('blocks a deletion: etcd still lists the lost member and raises no alarm for it', () => {
      const machines = [machine('a', { ...deletingSince, conditions: waiting }), machine('b'), machine('c')];
      expect(planWith(machines)).toMatchObject({ type: 'wait', reason: 'EtcdQuorumAtRisk' });
    });

    it('unblocks the lost machine before one that was deleted earlier: both others vote', () => {
      const later = { deleted: '2026-05-01T00:05:00Z' };
      const deleting = { ...waiting, EtcdMemberHealthy: ['False', 'Deleting', ''] } as const;
      const machines = [
        machine('a', { ...deletingSince, conditions: deleting }),
        machine('b'),
        machine('c', { ...later, conditions: deleting }),
      ];
      expect(planWith(machines)).toMatchObject({ type: 'release', machine: 'c', member: { name: 'c' } });
    });
  });

  it('blocks a deletion while etcd does not respond', () => {
    const machines = [machine('a', { ...deletingSince, conditions: waiting }), machine('b')];
    expect(planDeletingMachines(viewOf(machines, { etcd: undefined }))).toMatchObject({ reason: 'EtcdUnknown' });
  });

  it('ignores an external etcd', () => {
    const machines = [machine('a', { ...deletingSince, conditions: waiting }), machine('b')];
    const controlPlane = controlPlaneFixture({ replicas: 2, external: true });
    expect(planDeletingMachines(viewOf(machines, { controlPlane, etcd: undefined }))).toMatchObject({
      type: 'release',
      member: undefined,
    });
  });

  it('blocks a machine without a known Node while etcd needs a member that may be its own', () => {
    const machines = [
      machine('a', { ...deletingSince, node: null, conditions: waiting }),
      machine('b'),
      machine('c', { conditions: dead }),
    ];
    const members = ['b', 'c', 'stranger'].map((name) => memberFixture(name));
    const view = viewOf(machines, { etcd: { members, leader: 'b' } });
    expect(planDeletingMachines(view)).toMatchObject({ type: 'wait', reason: 'EtcdQuorumAtRisk' });
  });
});
