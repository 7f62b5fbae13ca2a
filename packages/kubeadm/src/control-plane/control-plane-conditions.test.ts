import type { Machine } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import type { KubeadmControlPlane } from '../api/index.js';
import { controlPlaneFixture, controlPlaneMachineFixture as machine } from '../testing/control-plane-objects.js';
import { memberFixture, viewTime } from '../testing/control-plane-view.js';
import { type AvailableInput, availableCondition } from './available-condition.js';
import { controlPlaneConditions, type ConditionsInput } from './control-plane-conditions.js';

function conditionsOf(machines: readonly Machine[], change: Partial<ConditionsInput> = {}): Record<string, string> {
  const all = controlPlaneConditions({
    controlPlane: controlPlaneFixture({ replicas: 3 }),
    machines,
    preflight: {},
    creationProblem: undefined,
    deletion: undefined,
    nowMs: viewTime,
    ...change,
  });
  return Object.fromEntries(
    all.map(({ type, status, reason, message = '' }) => [type, `${status} ${reason} ${message}`.trim()]),
  );
}

describe('conditions of a control plane', () => {
  it('report what blocks scaling up', () => {
    const preflight = {
      topologyVersion: 'v1.36.0',
      deletingMachine: true,
      certificatesMissing: true,
      componentsUnhealthy: true,
      etcdUnhealthy: true,
    };
    const { ScalingUp } = conditionsOf([machine('a')], {
      preflight,
      creationProblem: 'DevMachineTemplate does not exist',
    });
    expect(ScalingUp).toBe(
      [
        'True ScalingUp Scaling up from 1 to 3 replicas is blocked because:',
        '* waiting for a version upgrade to v1.36.0 to be propagated',
        '* waiting for a control plane Machine to complete deletion',
        '* cluster certificates are missing or unknown',
        '* waiting for control plane components to become healthy',
        '* waiting for etcd cluster to become healthy',
        '* DevMachineTemplate does not exist',
      ].join('\n'),
    );
  });

  it('report what would block scaling up', () => {
    const { ScalingUp } = conditionsOf([machine('a'), machine('b'), machine('c')], {
      creationProblem: 'DevMachineTemplate does not exist',
    });
    expect(ScalingUp).toBe('False NotScalingUp Scaling up would be blocked because DevMachineTemplate does not exist');
  });

  it('report what blocks scaling down', () => {
    const stale = machine('a', { deleted: '2026-05-31T00:00:00Z' });
    const { ScalingDown } = conditionsOf([stale, machine('b'), machine('c'), machine('d')], {
      preflight: { deletingMachine: true },
    });
    expect(ScalingDown).toBe(
      [
        'True ScalingDown Scaling down from 4 to 3 replicas is blocked because:',
        '* waiting for a control plane Machine to complete deletion',
        '* Machine a is in deletion since more than 15m',
      ].join('\n'),
    );
  });

  it('list every cause of a rollout once, a version first', () => {
    const outdated = (name: string, message: string) =>
      machine(name, { conditions: { UpToDate: ['False', 'NotUpToDate', message] } });
    const { RollingOut } = conditionsOf([
      outdated('a', '* KubeadmConfig is not up-to-date\n* Version v1.35.0, v1.36.0 required'),
      outdated('b', '* Version v1.35.0, v1.36.0 required\n* Certificates will expire soon'),
      machine('c', { conditions: { UpToDate: 'True' } }),
    ]);
    expect(RollingOut).toBe(
      [
        'True RollingOut Rolling out 2 not up-to-date replicas',
        '* Version v1.35.0, v1.36.0 required',
        '* Certificates will expire soon',
        '* KubeadmConfig is not up-to-date',
      ].join('\n'),
    );
  });

  it('report unhealthy machines that are not to be remediated', () => {
    const { Remediating } = conditionsOf([machine('a', { conditions: { HealthCheckSucceeded: 'False' } })]);
    expect(Remediating).toBe(
      'False NotRemediating Machine a is not healthy (not to be remediated by KubeadmControlPlane)',
    );
  });

  it('report a remediation', () => {
    const { Remediating } = conditionsOf([
      machine('a', {
        conditions: {
          HealthCheckSucceeded: 'False',
          OwnerRemediated: ['False', 'MachineDeleting', 'Machine is deleting'],
        },
      }),
    ]);
    expect(Remediating).toBe('True Remediating * Machine a: Machine is deleting');
  });

  it('ignore machines that were just created [14.40]', () => {
    const { MachinesUpToDate } = conditionsOf([machine('a', { created: '2026-05-31T23:59:55Z' })]);
    expect(MachinesUpToDate).toBe('True NoReplicas');
  });

  it('have zero desired replicas while the control plane is being deleted', () => {
    const controlPlane = controlPlaneFixture({ replicas: 3 });
    controlPlane.metadata.deletionTimestamp = '2026-05-31T00:00:00Z';
    const deletion = { reason: 'WaitingForMachineDeletion', message: 'Deleting 1 Machine' };
    const { ScalingUp, ScalingDown, Deleting } = conditionsOf([machine('a')], { controlPlane, deletion });
    expect([ScalingUp, ScalingDown, Deleting]).toEqual([
      'False NotScalingUp',
      'True ScalingDown Scaling down from 1 to 0 replicas',
      'True WaitingForMachineDeletion Deleting 1 Machine',
    ]);
  });
});

const since = '2026-01-01T00:00:00Z';

function availableOf(
  change: Partial<AvailableInput> & { readonly edit?: (controlPlane: KubeadmControlPlane) => void } = {},
): string {
  const controlPlane = controlPlaneFixture({ replicas: 3 });
  change.edit?.(controlPlane);
  const machines = ['a', 'b', 'c'].map((name) => machine(name));
  const members = ['a', 'b', 'c'].map((name) => memberFixture(name));
  const input = { controlPlane, machines, members, membersMatchMachines: true, nowMs: viewTime, ...change };
  const { status, reason, message = '' } = availableCondition(input);
  return `${status} ${reason} ${message}`.trim();
}

const dead = { EtcdMemberHealthy: 'False', EtcdPodHealthy: 'False', APIServerPodHealthy: 'False' } as const;

describe('a control plane is available', () => {
  it('if all machines are healthy', () => {
    expect(availableOf()).toBe('True Available');
  });

  it('with one unhealthy machine of three, and reports it', () => {
    const machines = [machine('a'), machine('b'), machine('c', { conditions: dead })];
    expect(availableOf({ machines })).toBe(
      [
        'True Available * 2 of 3 etcd members are healthy, at least 2 healthy member required for etcd quorum',
        '* 2 of 3 Machines have healthy control plane components, at least 1 required',
      ].join('\n'),
    );
  });

  it('with one machine that just became unhealthy, and does not report it yet', () => {
    const machines = [machine('a'), machine('b'), machine('c', { conditions: dead })];
    expect(availableOf({ machines, nowMs: Date.parse(since) + 5_000 })).toBe('True Available');
  });

  it('with an external etcd', () => {
    const edit = (controlPlane: KubeadmControlPlane): void => {
      controlPlane.spec = controlPlaneFixture({ external: true }).spec;
    };
    expect(availableOf({ edit, members: undefined, membersMatchMachines: true })).toBe('True Available');
  });
});

describe('a control plane is not available', () => {
  it.each<{ readonly name: string; readonly change: Parameters<typeof availableOf>[0]; readonly then: string }>([
    {
      name: 'before it is initialized',
      change: { edit: ({ status }) => void (status!.initialization = undefined) },
      then: 'False NotAvailable Control plane not yet initialized',
    },
    {
      name: 'while etcd has not reported its members yet',
      change: {
        members: undefined,
        edit: ({ status }) =>
          void status!.conditions?.push({
            type: 'Initialized',
            status: 'True',
            reason: 'Initialized',
            message: '',
            lastTransitionTime: '2026-05-31T23:59:00Z',
          }),
      },
      then: 'False NotAvailable Waiting for etcd to report the list of members',
    },
    {
      name: 'when etcd does not report its members',
      change: { members: undefined },
      then: 'Unknown InspectionFailed Failed to get etcd members',
    },
    {
      name: 'when members and machines do not match',
      change: { membersMatchMachines: false },
      then: 'False NotAvailable The list of etcd members does not match the list of Machines and Nodes',
    },
    {
      name: 'while it is deleting',
      change: { edit: ({ metadata }) => void (metadata.deletionTimestamp = since) },
      then: 'False NotAvailable * Control plane metadata.deletionTimestamp is set',
    },
    {
      name: 'without certificates',
      change: { edit: ({ status }) => void (status!.conditions = []) },
      then: 'False NotAvailable * Control plane certificates are not available',
    },
    {
      name: 'without quorum and without an API server',
      change: { machines: ['a', 'b', 'c'].map((name) => machine(name, { conditions: dead })) },
      then: 'False NotAvailable * There are no healthy etcd member, at least 2 healthy member required for etcd quorum\n* There are no Machines with healthy control plane components, at least 1 required',
    },
    {
      name: 'with one healthy member of three, one of which is a learner',
      change: {
        machines: [machine('a'), machine('b', { conditions: dead }), machine('c', { conditions: dead })],
        members: [memberFixture('a'), memberFixture('b'), memberFixture('c', { isLearner: true })],
      },
      then: 'False NotAvailable * 1 of 3 etcd members is healthy, 1 learner etcd member, at least 2 healthy member required for etcd quorum',
    },
  ])('$name', ({ change, then }) => {
    expect(availableOf(change)).toBe(then);
  });
});
