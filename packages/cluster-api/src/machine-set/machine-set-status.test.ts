import { describe, expect, it } from 'vitest';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { countersRetryMs, machineSetConditions, machineSetCounters } from './index.js';

const nowMs = Date.UTC(2026, 0, 1);
const good = { Ready: 'True', Available: 'True', UpToDate: 'True' } as const;

describe('machineSetCounters', () => {
  it('counts by conditions, including deleting machines, without those in an in-place update', () => {
    const machines = [
      machineFixture('a', { conditions: good }),
      machineFixture('b', { conditions: { Ready: 'True', Available: 'False' }, version: 'v1.10.0' }),
      machineFixture('c', { deleted: '2025-12-31T23:59:00Z', version: 'v1.9.0' }),
      machineFixture('d', {
        conditions: good,
        annotations: { 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '' },
      }),
    ];
    expect(machineSetCounters(machineSetFixture(4), machines)).toEqual({
      selector: 'cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/set-name=ms',
      replicas: 4,
      readyReplicas: 2,
      availableReplicas: 1,
      upToDateReplicas: 1,
      versions: [
        { version: 'v1.9.0', replicas: 1 },
        { version: 'v1.10.0', replicas: 1 },
        { version: 'v1.35.0', replicas: 2 },
      ],
    });
  });

  it('requeues when machines become available or ready by time', () => {
    const ready = machineFixture('a', { conditions: { Ready: 'True' } });
    const patient = machineSetFixture(1, ({ spec }) => {
      spec.template.spec.minReadySeconds = 30;
    });
    expect(countersRetryMs(patient, [ready])).toBe(30_000);
    expect(countersRetryMs(machineSetFixture(1), [machineFixture('a')])).toBe(15_000);
    expect(countersRetryMs(machineSetFixture(1), [machineFixture('a', { conditions: good })])).toBeUndefined();
  });
});

describe('machineSetConditions', () => {
  const input = { missing: {}, preflightFailures: [], nowMs };

  it('report no problem when all machines are available', () => {
    const conditions = machineSetConditions({
      ...input,
      machineSet: machineSetFixture(1),
      machines: [machineFixture('a', { conditions: good })],
    });
    expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'ScalingUp False NotScalingUp',
      'ScalingDown False NotScalingDown',
      'MachinesReady True Ready',
      'MachinesUpToDate True UpToDate',
      'Remediating False NotRemediating',
      'Deleting False NotDeleting',
    ]);
  });

  it('report what blocks scaling up', () => {
    const machineSet = machineSetFixture(2);
    const blocked = { ...input, missing: { bootstrap: 'KubeadmConfigTemplate' }, preflightFailures: ['not yet'] };
    expect(machineSetConditions({ ...blocked, machineSet, machines: [] })[0]).toMatchObject({
      status: 'True',
      message: 'Scaling up from 0 to 2 replicas is blocked because:\n* KubeadmConfigTemplate does not exist\n* not yet',
    });
    expect(machineSetConditions({ ...blocked, machineSet: machineSetFixture(0), machines: [] })[0]).toMatchObject({
      status: 'False',
      message: 'Scaling up would be blocked because KubeadmConfigTemplate does not exist',
    });
  });

  it('report slow deletions and their causes', () => {
    const drain = "* Pod a: cannot evict pod as it would violate the pod's disruption budget.";
    const slow = machineFixture('slow', {
      deleted: '2025-12-31T23:00:00Z',
      conditions: { Deleting: ['True', 'DrainingNode', drain] },
    });
    slow.status = { ...slow.status, deletion: { nodeDrainStartTime: '2025-12-31T23:00:00Z' } };
    const machineSet = machineSetFixture(0, ({ metadata }) => {
      metadata.deletionTimestamp = '2025-12-31T23:00:00Z';
    });
    const conditions = machineSetConditions({ ...input, machineSet, machines: [slow] });
    const stale = 'Machine slow is in deletion since more than 15m, delay likely due to PodDisruptionBudgets';
    expect(conditions[1]?.message).toBe(`Scaling down from 1 to 0 replicas\n* ${stale}`);
    expect(conditions[5]).toMatchObject({ status: 'True', message: `Deleting 1 Machine\n* ${stale}` });
    expect(machineSetConditions({ ...input, machineSet, machines: [] })[5]?.message).toBe('Deletion completed');
  });

  it('ignore a missing UpToDate in the first 10 s after Machine creation [14.40]', () => {
    const fresh = machineFixture('fresh', { created: '2025-12-31T23:59:55Z' });
    const late = machineFixture('late', { created: '2025-12-31T23:59:00Z' });
    const conditionOf = (machines: ReturnType<typeof machineFixture>[]) =>
      machineSetConditions({ ...input, machineSet: machineSetFixture(1), machines })[3];
    expect(conditionOf([fresh])).toMatchObject({ status: 'True', reason: 'NoReplicas' });
    expect(conditionOf([fresh, late])).toMatchObject({
      status: 'Unknown',
      reason: 'UpToDateUnknown',
      message: '* Machine late: Condition UpToDate not yet reported',
    });
  });

  it('distinguish remediation in progress from unhealthy machines without a request', () => {
    const waiting = machineFixture('a', {
      conditions: {
        HealthCheckSucceeded: 'False',
        OwnerRemediated: ['False', 'WaitingForRemediation', 'Waiting for remediation'],
      },
    });
    const alone = machineFixture('b', { conditions: { HealthCheckSucceeded: 'False' } });
    const machineSet = machineSetFixture(1);
    expect(machineSetConditions({ ...input, machineSet, machines: [waiting, alone] })[4]).toMatchObject({
      status: 'True',
      message: '* Machine a: Waiting for remediation',
    });
    expect(machineSetConditions({ ...input, machineSet, machines: [alone] })[4]).toMatchObject({
      status: 'False',
      message: 'Machine b is not healthy (not to be remediated by MachineDeployment/MachineSet)',
    });
  });
});
