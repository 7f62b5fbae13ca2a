import { deepFreeze } from '@slipway/kube';
import type { Conditioned } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { Machine, MachineHealthCheck } from '../api/index.js';
import { conditionsOf, machineFixture, type MachineOptions } from '../testing/machine-objects.js';
import {
  evaluateTarget,
  type HealthCheckInput,
  type HealthTarget,
  isTarget,
  type NodeState,
  planHealthCheck,
  remediationLimit,
  type TargetHealth,
} from './index.js';

const nowMs = Date.UTC(2026, 0, 1, 1);
const longAgo = '2026-01-01T00:00:00Z';
const up = { ControlPlaneInitialized: 'True', InfrastructureReady: 'True' } as const;

function clusterWith(texts: MachineOptions['conditions'] = up, transition = longAgo): Conditioned {
  return { kind: 'Cluster', metadata: { name: 'c' }, status: { conditions: conditionsOf(texts, transition) } };
}

function healthCheck(change: (spec: MachineHealthCheck['spec']) => void = () => {}): MachineHealthCheck {
  const spec: MachineHealthCheck['spec'] = {
    clusterName: 'c',
    selector: { matchLabels: { role: 'worker' } },
    checks: {
      unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }],
      unhealthyMachineConditions: [{ type: 'Broken', status: 'True', timeoutSeconds: 60 }],
    },
  };
  change(spec);
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name: 'mhc', namespace: 'default' },
    spec,
  };
}

function node(status: string, lastTransitionTime = longAgo): NodeState {
  const condition = { type: 'Ready', status, reason: 'NodeStatusUnknown', lastTransitionTime };
  return { metadata: { name: 'n' }, status: { conditions: [condition] } };
}

function evaluate(target: HealthTarget, cluster = clusterWith(), check = healthCheck()): TargetHealth {
  return evaluateTarget(deepFreeze(target), { healthCheck: check, cluster, nowMs });
}

const messageOf = (health: TargetHealth): string[] =>
  health.state === 'unhealthy' ? [health.condition.reason, health.condition.message ?? ''] : [health.state];

describe('evaluateTarget', () => {
  const fine = machineFixture('m');
  const starting = machineFixture('m', { node: null, created: '2026-01-01T00:49:00Z' });
  const broken = machineFixture('m', { conditions: { Broken: ['True', 'Smoke'] }, transition: longAgo });
  const rows: { name: string; target: HealthTarget; cluster?: Conditioned; then: string[] }[] = [
    { name: 'healthy', target: { machine: fine, node: node('True') }, then: ['healthy'] },
    {
      name: 'fails for a Node condition that lasts too long',
      target: { machine: fine, node: node('Unknown') },
      then: [
        'UnhealthyNode',
        'Health check failed:\n  * Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 5m0s',
      ],
    },
    {
      name: 'reports the machine condition before the Node condition',
      target: { machine: broken, node: node('Unknown') },
      then: [
        'UnhealthyMachine',
        'Health check failed:\n  * Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 5m0s\n  * Condition Broken on Machine is reporting status True with reason Smoke for more than 1m0s',
      ],
    },
    {
      name: 'fails for a deleted Node',
      target: { machine: fine, node: 'deleted' },
      then: ['NodeDeleted', 'Health check failed:\n  * Node m has been deleted'],
    },
    {
      name: 'fails without a Node after the start-up timeout',
      target: { machine: starting, node: undefined },
      then: ['NodeStartupTimeout', 'Health check failed:\n  * Node failed to report startup in 10m0s'],
    },
    {
      name: 'restarts the start-up timeout from the latest of four timestamps [14.22]',
      target: { machine: starting, node: undefined },
      cluster: clusterWith(up, '2026-01-01T00:55:00Z'),
      then: ['pending'],
    },
    {
      name: 'waits for the control plane on a worker [14.22]',
      target: { machine: broken, node: node('Unknown') },
      cluster: clusterWith({ InfrastructureReady: 'True' }),
      then: ['undecided'],
    },
    {
      name: 'waits for the cluster infrastructure on all machines',
      target: { machine: broken, node: node('Unknown') },
      cluster: clusterWith({ ControlPlaneInitialized: 'True' }),
      then: ['undecided'],
    },
    {
      name: 'fails immediately for a machine that the user marked',
      target: {
        machine: machineFixture('m', { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } }),
        node: node('True'),
      },
      cluster: clusterWith({}),
      then: [
        'HasRemediateAnnotation',
        'Health check failed: marked for remediation via cluster.x-k8s.io/remediate-machine annotation',
      ],
    },
    {
      name: 'does not count a deleting machine as healthy [14.21]',
      target: { machine: machineFixture('m', { deleted: longAgo }), node: node('True') },
      then: ['undecided'],
    },
  ];
  it.each(rows)('$name', ({ target, cluster, then }) => {
    expect(messageOf(evaluate(target, cluster))).toEqual(then);
  });

  it('exempts control plane machines from waiting for the control plane', () => {
    const machine = machineFixture('m', { labels: { 'cluster.x-k8s.io/control-plane': '' } });
    const cluster = clusterWith({ InfrastructureReady: 'True' });
    expect(evaluate({ machine, node: node('Unknown') }, cluster).state).toBe('unhealthy');
  });

  it('requeues one second after the nearest timeout', () => {
    const machine = machineFixture('m', { conditions: { Broken: 'True' }, transition: '2026-01-01T00:59:30Z' });
    const health = evaluate({ machine, node: node('Unknown', '2026-01-01T00:58:00Z') });
    expect(health).toEqual({ state: 'pending', nextCheckMs: 31_000 });
  });

  it('disables the start-up timeout with 0', () => {
    const check = healthCheck((spec) => {
      spec.checks = { nodeStartupTimeoutSeconds: 0 };
    });
    expect(evaluate({ machine: starting, node: undefined }, clusterWith(), check)).toEqual({ state: 'undecided' });
  });

  it('mirrors the result in the v1beta1 condition', () => {
    expect(evaluate({ machine: fine, node: node('Unknown') })).toMatchObject({
      deprecated: {
        reason: 'UnhealthyNode',
        message: 'Condition Ready on node is reporting status Unknown for more than 5m0s',
      },
    });
    expect(evaluate({ machine: fine, node: 'deleted' })).toMatchObject({
      deprecated: { reason: 'NodeNotFound', message: '' },
    });
  });
});

describe('remediationLimit', () => {
  type Trigger = NonNullable<NonNullable<MachineHealthCheck['spec']['remediation']>['triggerIf']>;
  const rows: { name: string; trigger: Trigger; counts: [number, number]; then: number | string }[] = [
    { name: 'allows all by default', trigger: {}, counts: [3, 0], then: 0 },
    { name: 'rounds percentages down', trigger: { unhealthyLessThanOrEqualTo: '40%' }, counts: [4, 3], then: 0 },
    {
      name: 'allows none for a KCP of 1 with 40 % [14.21]',
      trigger: { unhealthyLessThanOrEqualTo: '40%' },
      counts: [1, 0],
      then: 'exceeds maxUnhealthy (total: 1, unhealthy: 1, maxUnhealthy: 40%)',
    },
    { name: 'a number', trigger: { unhealthyLessThanOrEqualTo: 2 }, counts: [5, 4], then: 1 },
    { name: 'allows a number inside the range', trigger: { unhealthyInRange: '[1-3]' }, counts: [5, 4], then: 2 },
    {
      name: 'prefers the range to the number, and allows none below it',
      trigger: { unhealthyInRange: '[2-3]', unhealthyLessThanOrEqualTo: 5 },
      counts: [5, 4],
      then: 'does not fall within the range (total: 5, unhealthy: 1, unhealthyRange: [2-3])',
    },
  ];
  it.each(rows)('$name', ({ trigger, counts: [expected, healthy], then }) => {
    const check = healthCheck((spec) => {
      spec.remediation = { triggerIf: trigger };
    });
    const limit = remediationLimit(check, { expected, healthy, unhealthy: 1 });
    const refusal = 'Remediation is not allowed, the number of not started or unhealthy machines';
    expect(limit).toEqual(
      typeof then === 'number'
        ? { allowed: true, remediationsAllowed: then, message: '' }
        : { allowed: false, remediationsAllowed: 0, message: `${refusal} ${then}` },
    );
  });
});

describe('planHealthCheck', () => {
  const sick = (name: string, options: MachineOptions = {}): HealthTarget => ({
    machine: machineFixture(name, options),
    node: node('Unknown'),
  });
  const well = (name: string): HealthTarget => ({ machine: machineFixture(name), node: node('True') });
  const soon = (name: string): HealthTarget => ({
    machine: machineFixture(name),
    node: node('Unknown', '2026-01-01T00:59:00Z'),
  });

  function plan(targets: HealthTarget[], change?: (spec: MachineHealthCheck['spec']) => void, requests: string[] = []) {
    const context = { healthCheck: healthCheck(change), cluster: clusterWith(), nowMs };
    const input: HealthCheckInput = { ...context, targets: deepFreeze(targets), requests: new Set(requests) };
    return planHealthCheck(input);
  }

  it('counts machines that are starting, deleting or in a pending timeout against the max-unhealthy budget [14.21]', () => {
    const result = plan([well('b'), soon('a')], (spec) => {
      spec.remediation = { triggerIf: { unhealthyLessThanOrEqualTo: 1 } };
    });
    expect(result.status).toEqual({
      expectedMachines: 2,
      currentHealthy: 1,
      remediationsAllowed: 0,
      targets: ['a', 'b'],
    });
    expect(result.requeueAfterMs).toBe(241_000);
    expect(result.events).toEqual([
      {
        type: 'Normal',
        reason: 'DetectedUnhealthy',
        machine: 'a',
        message: 'Machine default/a has unhealthy Node n',
      },
    ]);
  });

  it('requests remediation from the owner of each unhealthy machine', () => {
    const result = plan([sick('a'), well('b')]);
    expect(result.condition).toEqual({ type: 'RemediationAllowed', status: 'True', reason: 'RemediationAllowed' });
    expect(result.steps).toMatchObject([
      { machine: 'b', conditions: [{ type: 'HealthCheckSucceeded', status: 'True' }] },
      {
        machine: 'a',
        conditions: [
          { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode' },
          { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' },
        ],
      },
    ]);
    expect(result.events).toMatchObject([{ reason: 'MachineMarkedUnhealthy', machine: 'a' }]);
  });

  it("sets OwnerRemediated only if absent or True, to keep the owner's progress reason [14.23]", () => {
    const deferred = sick('a', { conditions: { OwnerRemediated: ['False', 'RemediationDeferred'] } });
    const done = sick('b', { conditions: { OwnerRemediated: 'True' } });
    const deleting = sick('c', { deleted: longAgo });
    const types = plan([deferred, done, deleting]).steps.map((change) =>
      change.verb === 'patch' ? change.conditions.map(({ type }) => type) : [],
    );
    expect(types).toEqual([
      ['HealthCheckSucceeded'],
      ['HealthCheckSucceeded', 'OwnerRemediated'],
      ['HealthCheckSucceeded'],
    ]);
  });

  it('returns without requeue while remediation is not allowed [14.53]', () => {
    const result = plan([sick('a'), soon('b')], (spec) => {
      spec.remediation = { triggerIf: { unhealthyLessThanOrEqualTo: 1 } };
    });
    expect(result).toMatchObject({
      requeueAfterMs: undefined,
      condition: { status: 'False', reason: 'TooManyUnhealthy' },
      steps: [{ machine: 'a', conditions: [{ type: 'HealthCheckSucceeded', status: 'False' }] }],
    });
    expect(result.events.map(({ reason }) => reason)).toEqual(['DetectedUnhealthy', 'RemediationRestricted']);
  });

  describe('with a remediation template', () => {
    const external = (spec: MachineHealthCheck['spec']): void => {
      spec.remediation = { templateRef: { apiVersion: 'x.io/v1', kind: 'RebootTemplate', name: 't' } };
    };

    it('creates a request for each unhealthy machine', () => {
      expect(plan([sick('a'), well('b')], external).steps).toMatchObject([
        { verb: 'create-request', machine: 'a', kind: 'Reboot' },
        {
          verb: 'patch',
          machine: 'a',
          conditions: [{ type: 'HealthCheckSucceeded' }, { type: 'ExternallyRemediated', status: 'False' }],
        },
      ]);
    });

    it('waits for an existing request', () => {
      expect(plan([sick('a'), sick('b')], external, ['a']).steps).toEqual([]);
    });

    it('deletes the request when the machine is healthy again', () => {
      expect(plan([well('a')], external, ['a']).steps).toMatchObject([
        { verb: 'delete-request', machine: 'a', kind: 'Reboot' },
        { verb: 'patch', machine: 'a', conditions: [{ type: 'HealthCheckSucceeded', status: 'True' }] },
      ]);
    });
  });
});

describe('isTarget', () => {
  const role = { role: 'worker' };
  const rows: { name: string; machine: Machine; then: boolean }[] = [
    { name: 'selected', machine: machineFixture('m', { labels: role }), then: true },
    { name: 'ignores a machine that is not selected', machine: machineFixture('m'), then: false },
    {
      name: 'ignores a machine of another cluster',
      machine: machineFixture('m', { labels: { ...role, 'cluster.x-k8s.io/cluster-name': 'd' } }),
      then: false,
    },
    {
      name: 'ignores a machine with the skip-remediation annotation',
      machine: machineFixture('m', { labels: role, annotations: { 'cluster.x-k8s.io/skip-remediation': '' } }),
      then: false,
    },
    {
      name: 'paused',
      machine: machineFixture('m', { labels: role, annotations: { 'cluster.x-k8s.io/paused': '' } }),
      then: false,
    },
  ];
  it.each(rows)('$name', ({ machine, then }) => {
    expect(isTarget(healthCheck(), machine)).toBe(then);
  });
});
