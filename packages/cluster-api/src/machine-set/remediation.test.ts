import { deepFreeze } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { revisionAnnotations } from '../api/index.js';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { planRemediation, type RemediationInput } from './index.js';

const unhealthy = {
  HealthCheckSucceeded: ['False', 'UnhealthyNode'],
  OwnerRemediated: ['False', 'WaitingForRemediation'],
} as const;

const older = machineFixture('older', { conditions: unhealthy, created: '2025-01-01T00:00:00Z' });
const newer = machineFixture('newer', { conditions: unhealthy, created: '2025-02-01T00:00:00Z' });
const marked = machineFixture('marked', {
  conditions: unhealthy,
  annotations: { 'cluster.x-k8s.io/remediate-machine': '' },
});
const inFlight = machineFixture('in-flight', {
  deleted: '2025-12-01T00:00:00Z',
  conditions: { ...unhealthy, OwnerRemediated: ['False', 'MachineDeleting'] },
});
const healthyAgain = machineFixture('well', {
  conditions: { HealthCheckSucceeded: 'True', OwnerRemediated: ['False', 'WaitingForRemediation'] },
});

const machineSet = machineSetFixture(4, ({ metadata }) => {
  metadata.annotations = { [revisionAnnotations.revision]: '2' };
});

function deployment(maxInFlight?: number | string, revision = '2'): RemediationInput['deployment'] {
  const made = machineDeploymentFixture({ replicas: 4, ...(maxInFlight === undefined ? {} : { maxInFlight }) });
  made.metadata.annotations = { [revisionAnnotations.revision]: revision };
  return made;
}

const deferred = (limit: string): string =>
  `Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is ${limit})`;

describe('planRemediation', () => {
  const rows: { name: string; given: Partial<RemediationInput>; then: string[][] }[] = [
    {
      name: 'marks and then deletes every unhealthy machine, newest first',
      given: { machines: [older, newer, machineFixture('fine')] },
      then: [
        ['patch', 'newer', 'MachineDeleting', 'Machine is deleting'],
        ['delete', 'newer', 'Remediating', 'the machine failed its health check'],
        ['patch', 'older', 'MachineDeleting', 'Machine is deleting'],
        ['delete', 'older', 'Remediating', 'the machine failed its health check'],
      ],
    },
    {
      name: 'deletes machines that users marked first, within maxInFlight',
      given: { machines: [older, newer, marked], deployment: deployment(1) },
      then: [
        ['patch', 'newer', 'RemediationDeferred', deferred('1')],
        ['patch', 'older', 'RemediationDeferred', deferred('1')],
        ['patch', 'marked', 'MachineDeleting', 'Machine is deleting'],
        ['delete', 'marked', 'Remediating', 'the machine failed its health check'],
      ],
    },
    {
      name: 'counts deletions in flight, and rounds a percentage of the replicas up',
      given: { machines: [older, inFlight], deployment: deployment('20%') },
      then: [['patch', 'older', 'RemediationDeferred', deferred('20%')]],
    },
    {
      name: 'leaves machines of older revisions to the rollout',
      given: { machines: [older], deployment: deployment(undefined, '3') },
      then: [
        [
          'patch',
          'older',
          'CannotBeRemediated',
          "Machine won't be remediated because it is pending removal due to rollout",
        ],
      ],
    },
    {
      name: 'blocks both creation and remediation by preflight `ControlPlaneVersionSkew` [14.49]',
      given: { machines: [older], preflightFailures: ['one', 'two'] },
      then: [['patch', 'older', 'RemediationDeferred', '* one\n* two']],
    },
    {
      name: 'clears the condition of machines that are healthy again',
      given: { machines: [healthyAgain] },
      then: [['clear', 'well', 'HealthyAgain', 'the health check succeeds again']],
    },
    { name: 'ignores deleting machines', given: { machines: [inFlight] }, then: [] },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const input = { machineSet, machines: [], deployment: deployment(), preflightFailures: [], ...given };
    const plan = planRemediation(deepFreeze(input));
    expect(plan.steps.map(({ verb, name, reason, message }) => [verb, name, reason, message])).toEqual(then);
    expect(plan.requeueAfterMs).toBe(input.preflightFailures.length > 0 ? 15_000 : undefined);
  });

  it('works for a stand-alone set', () => {
    const input = { machineSet, machines: [older], deployment: undefined, preflightFailures: [] };
    expect(planRemediation(input).steps).toHaveLength(2);
  });
});
