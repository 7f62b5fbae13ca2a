import type { Machine } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import { controlPlaneAnnotations } from '../api/index.js';
import {
  clusterFixture,
  type ControlPlaneMachineOptions,
  controlPlaneFixture,
  controlPlaneMachineFixture as machine,
} from '../testing/control-plane-objects.js';
import { type ViewOptions, viewOf, viewTime } from '../testing/control-plane-view.js';
import { planRemediation } from './remediation-planner.js';

const failed = {
  HealthCheckSucceeded: ['False', 'UnhealthyNode', ''],
  OwnerRemediated: ['False', 'WaitingForRemediation', ''],
} as const;

function unhealthy(name: string, options: ControlPlaneMachineOptions = {}): Machine {
  return machine(name, { ...options, conditions: { ...failed, ...options.conditions } });
}

const replaced = (seconds: number, retryCount: number): Record<string, string> => ({
  [controlPlaneAnnotations.remediationFor]: JSON.stringify({
    machine: 'before',
    timestamp: new Date(viewTime - seconds * 1000).toISOString().replace('.000', ''),
    retryCount,
  }),
});

interface Refusal {
  readonly name: string;
  readonly machines: readonly Machine[];
  readonly options?: ViewOptions;
  readonly reason: string;
  readonly message: string;
}

const refusals: readonly Refusal[] = [
  {
    name: 'the only machine',
    machines: [unhealthy('a')],
    reason: 'CannotBeRemediated',
    message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
  },
  {
    name: 'while another machine is being provisioned',
    machines: [unhealthy('a'), machine('b'), machine('c', { node: null })],
    reason: 'RemediationDeferred',
    message:
      'KubeadmControlPlane waiting for control plane Machine provisioning to complete before triggering remediation',
  },
  {
    name: 'while another machine is being deleted',
    machines: [unhealthy('a'), machine('b'), machine('c', { deleted: '2026-05-01T00:00:00Z' })],
    reason: 'RemediationDeferred',
    message: 'KubeadmControlPlane waiting for control plane Machine deletion to complete before triggering remediation',
  },
  {
    name: 'while etcd does not respond',
    machines: [unhealthy('a'), machine('b'), machine('c')],
    options: { etcd: undefined },
    reason: 'RemediationDeferred',
    message: 'Failed to check etcd cluster health before remediation',
  },
  {
    name: 'when etcd would lose its quorum',
    machines: [unhealthy('a'), machine('b'), machine('c', { conditions: { EtcdMemberHealthy: 'False' } })],
    reason: 'CannotBeRemediated',
    message:
      "KubeadmControlPlane can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss",
  },
  {
    name: 'while a topology is about to upgrade',
    machines: [unhealthy('a'), machine('b'), machine('c')],
    options: { cluster: clusterFixture({ spec: { topology: { version: 'v1.36.0' } } }) },
    reason: 'RemediationDeferred',
    message:
      "KubeadmControlPlane can't remediate while waiting for a version upgrade to v1.36.0 to be propagated from Cluster.spec.topology",
  },
  {
    name: 'before the retry period has passed',
    machines: [unhealthy('a', { annotations: replaced(60, 0) }), machine('b'), machine('c')],
    options: { controlPlane: controlPlaneFixture({ replicas: 3, remediation: { retryPeriodSeconds: 900 } }) },
    reason: 'RemediationDeferred',
    message:
      "KubeadmControlPlane can't remediate this machine because the operation already failed in the latest 15m0s (RetryPeriodSeconds)",
  },
  {
    name: 'after the last retry',
    machines: [unhealthy('a', { annotations: replaced(60, 3) }), machine('b'), machine('c')],
    options: { controlPlane: controlPlaneFixture({ replicas: 3, remediation: { maxRetry: 3 } }) },
    reason: 'CannotBeRemediated',
    message: "KubeadmControlPlane can't remediate this machine because the operation already failed 3 times (MaxRetry)",
  },
];

describe('remediation of a control plane', () => {
  it.each(refusals)('does not replace $name', ({ machines, options, reason, message }) => {
    const { decision, notes } = planRemediation(viewOf(machines, options));
    expect(decision).toBeUndefined();
    expect(notes).toEqual([{ machine: 'a', condition: { type: 'OwnerRemediated', status: 'False', reason, message } }]);
  });

  it('replaces an unhealthy machine', () => {
    const { decision, notes } = planRemediation(viewOf([unhealthy('a'), machine('b'), machine('c')], { leader: 'b' }));
    expect(decision).toEqual({
      type: 'remediate',
      machine: 'a',
      reason: 'Remediating',
      message: 'the machine failed its health check',
      leadership: undefined,
      data: { machine: 'a', atMs: viewTime, retryCount: 0 },
    });
    expect(notes[0]?.condition?.reason).toBe('MachineDeleting');
  });

  it('replaces the only machine of a control plane that was never initialized', () => {
    const controlPlane = controlPlaneFixture({ initialized: false });
    const view = viewOf([unhealthy('a', { node: null })], { controlPlane, etcd: undefined });
    expect(planRemediation(view).decision).toMatchObject({ type: 'remediate', machine: 'a' });
  });

  it('replaces machines with an external etcd, whose members are unknown [14.37]', () => {
    const controlPlane = controlPlaneFixture({ replicas: 3, external: true });
    const view = viewOf([unhealthy('a'), machine('b'), machine('c')], { controlPlane, etcd: undefined });
    expect(planRemediation(view).decision).toMatchObject({ type: 'remediate', machine: 'a', leadership: undefined });
  });

  it.each([
    { name: 'counts retries', seconds: 60, retryCount: 2, then: 3 },
    {
      name: 'restarts the retry count after the machine was healthy long enough',
      seconds: 3601,
      retryCount: 2,
      then: 0,
    },
  ])('$name', ({ seconds, retryCount, then }) => {
    const machines = [unhealthy('a', { annotations: replaced(seconds, retryCount) }), machine('b'), machine('c')];
    expect(planRemediation(viewOf(machines)).decision).toMatchObject({ data: { retryCount: then } });
  });

  it.each<{ readonly name: string; readonly first: ControlPlaneMachineOptions }>([
    { name: 'that the user marked', first: { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } } },
    { name: 'that never got a Node', first: { node: null } },
    { name: 'with an unhealthy etcd member', first: { conditions: { EtcdMemberHealthy: 'False' } } },
    { name: 'with an unhealthy API server', first: { conditions: { APIServerPodHealthy: 'False' } } },
    { name: 'that is the oldest', first: { created: '2025-01-01T00:00:00Z' } },
  ])('starts with the machine $name', ({ first }) => {
    const machines = [unhealthy('a'), unhealthy('b', first), machine('c'), machine('d'), machine('e')];
    const { notes } = planRemediation(viewOf(machines));
    expect(notes.map((note) => note.machine)).toEqual(['b']);
  });

  it('starts no second remediation before the replacement of the first exists', () => {
    const data = JSON.stringify({ machine: 'x', timestamp: '2026-05-31T00:00:00Z', retryCount: 0 });
    const controlPlane = controlPlaneFixture({ replicas: 3 });
    controlPlane.metadata.annotations = { [controlPlaneAnnotations.remediationInProgress]: data };
    const waiting = viewOf([unhealthy('a'), machine('b')], { controlPlane });
    expect(planRemediation(waiting)).toEqual({ notes: [], dropRemediationInProgress: false });
    const replacement = machine('c', { created: '2026-05-31T00:01:00Z' });
    const over = viewOf([unhealthy('a'), machine('b'), replacement], { controlPlane });
    expect(planRemediation(over)).toMatchObject({ dropRemediationInProgress: true, decision: { machine: 'a' } });
  });

  it('recognizes the replacement by its annotation, also when it was created within the same second', () => {
    const data = JSON.stringify({ machine: 'x', timestamp: '2026-05-31T00:00:00Z', retryCount: 0 });
    const controlPlane = controlPlaneFixture({ replicas: 3 });
    controlPlane.metadata.annotations = { [controlPlaneAnnotations.remediationInProgress]: data };
    const replacement = machine('c', { created: '2026-05-31T00:00:00Z' });
    replacement.metadata.annotations = { [controlPlaneAnnotations.remediationFor]: data };
    const over = viewOf([unhealthy('a'), machine('b'), replacement], { controlPlane });
    expect(planRemediation(over)).toMatchObject({ dropRemediationInProgress: true, decision: { machine: 'a' } });
  });

  it('removes the condition of a machine that is healthy again', () => {
    const healed = machine('a', { conditions: { ...failed, HealthCheckSucceeded: 'True' } });
    expect(planRemediation(viewOf([healed])).notes).toEqual([{ machine: 'a', condition: undefined }]);
  });
});
