import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { deploymentConditions, deploymentCounters } from './index.js';

const nowMs = Date.UTC(2026, 0, 1);

function set(name: string, status: MachineSet['status']): MachineSet {
  return machineSetFixture(3, (made) => {
    made.metadata.name = name;
    if (status !== undefined) made.status = status;
  });
}

const sets = [
  set('old', { replicas: 2, readyReplicas: 2, availableReplicas: 1, versions: [{ version: 'v1.34.0', replicas: 2 }] }),
  set('new', {
    replicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    upToDateReplicas: 1,
    versions: [{ version: 'v1.35.0', replicas: 1 }],
    deprecated: { v1beta1: { readyReplicas: 1, availableReplicas: 1 } },
  }),
];

describe('deploymentCounters', () => {
  it('sums the counters of the sets', () => {
    expect(deploymentCounters(machineDeploymentFixture({ replicas: 3 }), sets, 'new')).toEqual({
      selector: 'cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/deployment-name=md',
      phase: 'Running',
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 2,
      upToDateReplicas: 1,
      versions: [
        { version: 'v1.34.0', replicas: 2 },
        { version: 'v1.35.0', replicas: 1 },
      ],
      deprecated: {
        v1beta1: { readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 5, updatedReplicas: 1 },
      },
    });
  });

  const phases = [
    { replicas: 4, deleting: false, phase: 'ScalingUp' },
    { replicas: 2, deleting: false, phase: 'ScalingDown' },
    { replicas: 3, deleting: true, phase: 'ScalingDown' },
    { replicas: undefined, deleting: false, phase: 'Unknown' },
  ];
  it.each(phases)('phase $phase: $replicas replicas, deleting $deleting', ({ replicas, deleting, phase }) => {
    const deployment = machineDeploymentFixture({ replicas: 0 });
    if (replicas === undefined) delete deployment.spec.replicas;
    else deployment.spec.replicas = replicas;
    if (deleting) deployment.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(deploymentCounters(deployment, sets, 'new').phase).toBe(phase);
  });
});

describe('deploymentConditions', () => {
  function conditions(deployment: MachineDeployment, machineSets = sets, machines = [machineFixture('a')]) {
    const missing = { infrastructure: 'DevMachineTemplate' };
    const made = deploymentConditions({ deployment, machineSets, machines, missing, nowMs });
    return new Map(made.map((condition) => [condition.type, condition]));
  }

  it('reports in Available which limit is exceeded', () => {
    const deployment = machineDeploymentFixture({ replicas: 3, rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } });
    expect(conditions(deployment).get('Available')).toEqual({
      type: 'Available',
      status: 'False',
      reason: 'NotAvailable',
      message:
        '2 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 10%, spec.replicas is 3)',
    });
    expect(conditions(machineDeploymentFixture({ replicas: 2 })).get('Available')?.status).toBe('True');
    const deleted = machineDeploymentFixture({ replicas: 3 });
    deleted.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(conditions(deleted).get('Available')?.message).toBe('Deletion in progress');
    expect(conditions(deployment, [set('new', undefined)]).get('Available')?.reason).toBe(
      'WaitingForAvailableReplicasSet',
    );
  });

  it('reports each cause once in RollingOut, versions first', () => {
    const outdated = (name: string, message: string) =>
      machineFixture(name, { conditions: { UpToDate: ['False', 'NotUpToDate', message] } });
    const machines = [
      outdated('a', '* DevMachine is not up-to-date'),
      outdated('b', '* Version v1.34.0, v1.35.0 required\n* DevMachine is not up-to-date'),
    ];
    expect(conditions(machineDeploymentFixture({ replicas: 3 }), sets, machines).get('RollingOut')).toMatchObject({
      status: 'True',
      message:
        'Rolling out 2 not up-to-date replicas\n* Version v1.34.0, v1.35.0 required\n* DevMachine is not up-to-date',
    });
    expect(conditions(machineDeploymentFixture({ replicas: 3 })).get('RollingOut')?.status).toBe('False');
  });

  it('reports missing templates in ScalingUp', () => {
    expect(conditions(machineDeploymentFixture({ replicas: 5 })).get('ScalingUp')?.message).toBe(
      'Scaling up from 3 to 5 replicas is blocked because DevMachineTemplate does not exist',
    );
    expect(conditions(machineDeploymentFixture({ replicas: 3 })).get('ScalingUp')?.message).toBe(
      'Scaling up would be blocked because DevMachineTemplate does not exist',
    );
  });

  it('reports the remaining machines, then the remaining sets, in Deleting', () => {
    const deployment = machineDeploymentFixture({ replicas: 3 });
    deployment.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(conditions(deployment).get('Deleting')?.message).toBe('Deleting 1 Machine');
    expect(conditions(deployment, sets, []).get('Deleting')?.message).toBe('Deleting 2 MachineSets');
    expect(conditions(deployment, [], []).get('Deleting')?.message).toBe('Deletion completed');
  });
});
