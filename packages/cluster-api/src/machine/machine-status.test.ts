import { describe, expect, it } from 'vitest';
import { edit, getCondition } from '@slipway/runtime';
import type { Machine } from '../api/index.js';
import { machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { getV1beta1Condition } from '../toolkit/index.js';
import { machinePhase, machineStatus, type MachineStatusInput } from './machine-status.js';
import { isOutdated, upToDateCondition } from './machine-status.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

describe('the phase of a machine', () => {
  const machine = (change: (machine: Machine) => void): Machine => {
    const made = machineFixture('m', { node: null });
    change(made);
    return made;
  };
  const provisioned = { bootstrapDataSecretCreated: true, infrastructureProvisioned: true };
  const rows: { then: string; name: string; given: Machine }[] = [
    { then: 'Pending', name: 'without bootstrap data', given: machine(() => undefined) },
    {
      then: 'Provisioning',
      name: 'with bootstrap data',
      given: machine((made) => void (made.status = { initialization: { bootstrapDataSecretCreated: true } })),
    },
    {
      then: 'Provisioned',
      name: 'with a provider ID',
      given: machine((made) => {
        made.spec.providerID = 'x://y';
        made.status = { initialization: provisioned };
      }),
    },
    {
      then: 'Running',
      name: 'with a Node',
      given: machine((made) => void (made.status = { initialization: provisioned, nodeRef: { name: 'n' } })),
    },
    {
      then: 'Updating',
      name: 'during an in-place update',
      given: machineFixture('m', { conditions: { Updating: 'True' } }),
    },
    {
      then: 'Deleting',
      name: 'while it is being deleted',
      given: machineFixture('m', { deleted: '2026-01-01T00:00:00Z' }),
    },
  ];
  it.each(rows)('is $then $name', ({ given, then }) => {
    expect(machinePhase(given)).toBe(then);
  });
});

describe('UpToDate', () => {
  const deployment = machineDeploymentFixture({ replicas: 1 });
  const set = machineSetFixture(1, (made) => void (made.spec.template = deployment.spec.template));
  const running = (kubelet?: string) =>
    edit(machineFixture('m'), ({ status }) => {
      if (status && kubelet) status.nodeInfo = { kubeletVersion: kubelet } as NonNullable<typeof status.nodeInfo>;
    });
  const text = (...given: Parameters<typeof upToDateCondition>): string | undefined => {
    const condition = upToDateCondition(...given);
    return condition && `${condition.status} ${condition.reason}: ${condition.message ?? ''}`;
  };

  it('is not set on stand-alone and control plane machines', () => {
    expect(text(running(), undefined, undefined, nowMs)).toBeUndefined();
    expect(text(running(), set, undefined, nowMs)).toBeUndefined();
  });

  it('is True if the templates match and the kubelet runs', () => {
    expect(text(running('v1.35.0'), set, deployment, nowMs)).toBe('True UpToDate: ');
  });

  it('is False if the templates differ', () => {
    const old = edit(set, ({ spec }) => void (spec.template.spec.version = 'v1.34.0'));
    expect(text(running(), old, deployment, nowMs)).toBe('False NotUpToDate: * Version v1.34.0, v1.35.0 required');
  });

  it('is False if rollout.after has passed since the set was created [14.20]', () => {
    const after = (time: string) => edit(deployment, ({ spec }) => void (spec.rollout = { after: time }));
    const made = edit(set, ({ metadata }) => void (metadata.creationTimestamp = '2026-01-01T00:00:00Z'));
    expect(text(running(), made, after('2026-01-01T00:30:00Z'), nowMs)).toBe(
      'False NotUpToDate: * MachineDeployment spec.rolloutAfter expired',
    );
    expect(text(running(), made, after('2026-01-01T02:00:00Z'), nowMs)).toBe('True UpToDate: ');
  });

  it('is Unknown during an in-place update, and until the kubelet runs', () => {
    const updating = machineFixture('m', { conditions: { Updating: ['True', 'InPlaceUpdating', 'half way'] } });
    expect(text(updating, set, deployment, nowMs)).toBe('False Updating: * half way');
    expect(text(running('v1.34.0'), set, deployment, nowMs)).toBe(
      'False Updating: * Node.status.nodeInfo.kubeletVersion v1.34.0, v1.35.0 required',
    );
  });

  it('distinguishes older revisions from the newest', () => {
    const revision = 'machinedeployment.clusters.x-k8s.io/revision';
    const newest = edit(deployment, ({ metadata }) => void (metadata.annotations = { [revision]: '10' }));
    const of = (text: string) => edit(set, ({ metadata }) => void (metadata.annotations = { [revision]: text }));
    expect([of('9'), of('10'), of('what')].map((each) => isOutdated(each, newest))).toEqual([true, false, true]);
    expect(isOutdated(undefined, newest)).toBe(false);
  });
});

describe('machineStatus', () => {
  const input = (machine: Machine, given: Partial<MachineStatusInput> = {}): MachineStatusInput => ({
    machine,
    cluster: undefined,
    machineSet: undefined,
    machineDeployment: undefined,
    bootstrap: { type: 'missing' },
    infrastructure: { type: 'missing' },
    node: { type: 'missing' },
    health: { connected: false, consecutiveFailures: 0 },
    remoteConditionsGraceMs: 300_000,
    deleting: { reason: 'Deleting', message: 'Deletion started' },
    nowMs,
    ...given,
  });

  it('sets lastUpdated when the phase changes', () => {
    const first = machineStatus(input(machineFixture('m', { node: null }))).machine;
    expect(first.status).toMatchObject({ phase: 'Pending', lastUpdated: '2026-01-01T01:00:00Z' });
    const later = machineStatus({ ...input(machineFixture('m')), machine: first, nowMs: nowMs + 60_000 }).machine;
    expect(later.status?.lastUpdated).toBe('2026-01-01T01:00:00Z');
    expect(machineStatus({ ...input(machineFixture('m')), machine: first }).machine).toBe(first);
  });

  it('sets observedGeneration on each condition [14.8]', () => {
    const machine = machineFixture('m');
    machine.metadata.generation = 7;
    const { conditions = [] } = machineStatus(input(machine)).machine.status ?? {};
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual(conditions.map(() => 7));
  });

  it('counts the first steps in the deprecated Ready condition', () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const machine = machineFixture('m', { node: null });
    const conditions = [
      { type: 'BootstrapReady', status: 'True', lastTransitionTime },
      { type: 'InfrastructureReady', status: 'False', severity: 'Info', reason: 'Waiting', lastTransitionTime },
    ];
    machine.status = { deprecated: { v1beta1: { conditions } } };
    const { machine: reported } = machineStatus(input(machine));
    expect(getV1beta1Condition(reported as never, 'Ready')).toMatchObject({
      status: 'False',
      message: '1 of 2 completed',
    });
  });

  it('reports an in-place update', () => {
    const annotations = { 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '' };
    const { machine: reported } = machineStatus(input(machineFixture('m', { annotations })));
    expect(getCondition(reported, 'Updating')).toMatchObject({ status: 'True', reason: 'InPlaceUpdating' });
    expect(reported.status?.phase).toBe('Updating');
  });
});
