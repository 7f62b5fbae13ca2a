import { describe, expect, it } from 'vitest';
import { edit } from '@slipway/runtime';
import { machineFixture, type MachineOptions } from '../testing/machine-objects.js';
import { availableCondition, readyCondition } from './ready-condition.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const well: NonNullable<MachineOptions['conditions']> = {
  Deleting: ['False', 'NotDeleting'],
  Updating: ['False', 'NotUpdating'],
  BootstrapConfigReady: 'True',
  InfrastructureReady: 'True',
  NodeHealthy: 'True',
};
const draining = [
  'True',
  'DrainingNode',
  "* Pod a: cannot evict pod as it would violate the pod's disruption budget.",
] as const;
const deletedAt = (minutesAgo: number): string =>
  new Date(nowMs - minutesAgo * 60_000).toISOString().replace('.000', '');

describe('Ready', () => {
  const rows: { name: string; given: MachineOptions; then: string }[] = [
    { name: 'is True when all conditions are good', given: { conditions: well }, then: 'True Ready: ' },
    {
      name: 'is Unknown without conditions',
      given: {},
      then: 'Unknown ReadyUnknown: * Deleting: Condition not yet reported\n* Updating: Condition not yet reported\n* BootstrapConfigReady: Condition not yet reported\n* InfrastructureReady: Condition not yet reported\n* NodeHealthy: Condition not yet reported',
    },
    {
      name: 'issues are reported before unknown conditions',
      given: {
        conditions: {
          ...well,
          InfrastructureReady: ['False', 'NotReady', 'no disk'],
          NodeHealthy: ['Unknown', 'X', 'y'],
        },
      },
      then: 'False NotReady: * InfrastructureReady: no disk\n* NodeHealthy: y',
    },
    {
      name: 'includes a health check if there is one',
      given: { conditions: { ...well, HealthCheckSucceeded: ['False', 'UnhealthyNode', 'sick'] } },
      then: 'False NotReady: * HealthCheckSucceeded: sick',
    },
    {
      name: 'an in-place update is not ready',
      given: { conditions: { ...well, Updating: ['True', 'InPlaceUpdating', 'In-place update in progress'] } },
      then: 'False NotReady: * Updating: In-place update in progress',
    },
    {
      name: 'reports the step of a deletion',
      given: { deleted: deletedAt(1), conditions: { ...well, Deleting: draining } },
      then: 'False NotReady: * Deleting: Machine deletion in progress, stage: DrainingNode',
    },
    {
      name: 'a slow deletion is reported with its likely cause',
      given: { deleted: deletedAt(16), conditions: { ...well, Deleting: draining } },
      then: 'False NotReady: * Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode, delay likely due to PodDisruptionBudgets',
    },
    {
      name: 'parts deleted with the machine are not an issue',
      given: {
        deleted: deletedAt(1),
        conditions: {
          ...well,
          Deleting: ['True', 'DeletingNode', 'x'],
          BootstrapConfigReady: ['False', 'ObjectDeleted', 'gone'],
          InfrastructureReady: ['False', 'ObjectDoesNotExist', 'gone'],
          NodeHealthy: ['False', 'NodeDeleted', 'gone'],
        },
      },
      then: 'False NotReady: * Deleting: Machine deletion in progress, stage: DeletingNode',
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const machine = edit(machineFixture('m', given), ({ status }) => {
      if (status !== undefined) status.deletion = { nodeDrainStartTime: deletedAt(16) };
    });
    const { status, reason, message } = readyCondition(machine, nowMs);
    expect(`${status} ${reason}: ${message}`).toBe(then);
  });

  const gates = ['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy'];
  const gated = (
    conditions: MachineOptions['conditions'],
    more: { conditionType: string; polarity?: 'Negative' }[] = [],
  ) =>
    edit(machineFixture('m', { conditions: { ...well, ...conditions } }), ({ spec }) => {
      spec.readinessGates = [...gates.map((conditionType) => ({ conditionType })), ...more];
    });
  const all = (message: string): Record<string, readonly ['False', string, string]> =>
    Object.fromEntries(gates.map((type) => [type, ['False', 'Failed', message]]));

  it('merges control plane components with the same message', () => {
    expect(readyCondition(gated(all('waiting')), nowMs).message).toBe('* Control plane components: waiting');
  });

  it('lists them one by one if they differ', () => {
    const message = readyCondition(
      gated({ ...all('waiting'), EtcdPodHealthy: ['False', 'X', 'other'] }),
      nowMs,
    ).message;
    expect(message?.split('\n')).toHaveLength(4);
  });

  it('includes the readiness gates of the user, with their polarity', () => {
    const fine = Object.fromEntries(gates.map((type) => [type, 'True' as const]));
    const machine = gated({ ...fine, Burning: ['True', 'Fire', 'hot'] }, [
      { conditionType: 'Burning', polarity: 'Negative' },
    ]);
    expect(readyCondition(machine, nowMs)).toMatchObject({ status: 'False', message: '* Burning: hot' });
  });
});

describe('Available', () => {
  const transition = '2026-01-01T00:59:50Z';
  const rows: { name: string; ready: 'True' | 'False' | 'Unknown'; minReadySeconds?: number; then: object }[] = [
    {
      name: 'is False while the machine is not ready',
      ready: 'False',
      then: { condition: { status: 'False', reason: 'NotReady' } },
    },
    {
      name: 'is True when the machine is ready',
      ready: 'True',
      then: { condition: { status: 'True', reason: 'Available' } },
    },
    {
      name: 'waits for minReadySeconds',
      ready: 'True',
      minReadySeconds: 30,
      then: { condition: { status: 'False', reason: 'WaitingForMinReadySeconds' }, dueMs: 20_000 },
    },
    {
      name: 'is True after minReadySeconds',
      ready: 'True',
      minReadySeconds: 10,
      then: { condition: { status: 'True', reason: 'Available' } },
    },
  ];
  it.each(rows)('$name', ({ ready, minReadySeconds, then }) => {
    const machine = edit(machineFixture('m', { conditions: { Ready: ready }, transition }), ({ spec }) => {
      if (minReadySeconds !== undefined) spec.minReadySeconds = minReadySeconds;
    });
    expect(availableCondition(machine, nowMs)).toMatchObject(then);
  });

  it('is True immediately without minReadySeconds, even if the clock was set back', () => {
    const machine = machineFixture('m', { conditions: { Ready: 'True' }, transition: '2026-01-01T02:00:00Z' });
    expect(availableCondition(machine, nowMs)).toMatchObject({ condition: { status: 'True', reason: 'Available' } });
  });
});
