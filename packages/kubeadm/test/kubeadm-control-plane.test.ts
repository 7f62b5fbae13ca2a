import { annotations, labels, type Machine, machines, nameOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { getCondition, secrets } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlPlaneAnnotations, kubeadmConfigs, kubeadmControlPlanes } from '../src/index.js';
import { available, ControlPlaneFixture, key, namespace, testMachines } from './control-plane-fixture.js';

describe('the KubeadmControlPlane controller', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
  });
  afterEach(() => fixture.plane.stop());

  it('creates the first machine, and becomes available', async () => {
    await fixture.bringUp();
    const [machine] = await fixture.machines();
    const name = nameOf(machine as Frozen<Machine>);
    expect(machine?.metadata.labels).toEqual({
      [labels.clusterName]: 'c',
      [labels.controlPlane]: '',
      [labels.controlPlaneName]: 'cp',
    });
    const config = await fixture.client.get(kubeadmConfigs, key(name));
    expect(config.spec?.joinConfiguration).toBeUndefined();
    expect(config.metadata.annotations?.[annotations.certificatesExpiry]).toBe('2030-01-01T00:00:00Z');
    const infrastructure = await fixture.client.get(testMachines, key(name));
    expect(infrastructure.metadata.annotations).toEqual({
      [annotations.clonedFromName]: 't',
      [annotations.clonedFromGroupKind]: 'TestMachineTemplate.infrastructure.cluster.x-k8s.io',
    });
    const names = (await fixture.client.list(secrets, { namespace })).items.map((secret) => secret.metadata.name);
    expect(new Set(names)).toEqual(new Set(['c-ca', 'c-etcd', 'c-kubeconfig', 'c-proxy', 'c-sa']));
  });

  it('scales 1 -> 3 -> 1, moves leadership and removes etcd members', async () => {
    await fixture.bringUp();
    await fixture.change(({ spec }) => void (spec.replicas = 3));
    await fixture.until('available with 3', available(3));
    await fixture.change(({ spec }) => void (spec.replicas = 1));
    await fixture.until('available with 1', available(1));
    const removed = fixture.workload.calls.filter((call) => call.startsWith('removeEtcdMember'));
    expect(removed).toHaveLength(2);
    const [first] = fixture.workload.calls.filter((call) => call.includes('Etcd'));
    expect(first).toMatch(/^forwardEtcdLeadership/);
    expect(removed).not.toContain(`removeEtcdMember ${fixture.workload.leader}`);
    expect(fixture.workload.nodes.size).toBe(1);
  });

  it('upgrades, one machine at a time', async () => {
    await fixture.bringUp({ replicas: 3 });
    const before = (await fixture.machines()).map((machine) => nameOf(machine));
    await fixture.change(({ spec }) => void (spec.version = 'v1.36.0'));
    await fixture.until('upgraded', async (controlPlane) => {
      const count = (await fixture.machines()).length;
      expect(count).toBeLessThanOrEqual(4);
      return available(3)(controlPlane) && controlPlane.status?.version === 'v1.36.0';
    });
    const after = (await fixture.machines()).map((machine) => nameOf(machine));
    expect(after.filter((name) => before.includes(name))).toEqual([]);
    expect(fixture.workload.calls).toContain('updateKubeadmConfig v1.36.0');
  });

  it('deletes its machines, then itself', async () => {
    await fixture.bringUp({ replicas: 3 });
    await fixture.client.delete(kubeadmControlPlanes, key('cp'));
    await fixture.rounds(3);
    await fixture.plane.untilGone(kubeadmControlPlanes, key('cp'));
    expect(await fixture.machines()).toEqual([]);
    expect(fixture.workload.calls.filter((call) => call.includes('Etcd'))).toEqual([]);
  });

  it('replaces an unhealthy machine and records which one', async () => {
    await fixture.bringUp({ replicas: 3 });
    const [sick] = await fixture.machines();
    const name = nameOf(sick as Frozen<Machine>);
    (fixture.workload.nodes.get(name) as { isHealthy: boolean }).isHealthy = false;
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    await fixture.changeMachine(name, (draft) => {
      draft.status = {
        ...draft.status,
        conditions: [
          ...(draft.status?.conditions ?? []),
          { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode', message: '', lastTransitionTime },
          {
            type: 'OwnerRemediated',
            status: 'False',
            reason: 'WaitingForRemediation',
            message: '',
            lastTransitionTime,
          },
        ],
      };
    });
    await fixture.until('remediated', async (controlPlane) => {
      const left = await fixture.machines();
      return available(3)(controlPlane) && left.every((machine) => nameOf(machine) !== name);
    });
    const replacement = (await fixture.machines()).find(
      (machine) => machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor] !== undefined,
    );
    expect(
      JSON.parse(replacement?.metadata.annotations?.[controlPlaneAnnotations.remediationFor] ?? '{}'),
    ).toMatchObject({ machine: name, retryCount: 0 });
    const controlPlane = await fixture.controlPlane();
    expect(controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress]).toBeUndefined();
    expect(controlPlane.status?.lastRemediation).toMatchObject({ machine: name, retryCount: 0 });
  });

  it('reports a missing template, and continues when it is created', async () => {
    await fixture.createControlPlane();
    await fixture.untilCondition('ScalingUp', 'does not exist');
    const scalingUp = getCondition(await fixture.controlPlane(), 'ScalingUp');
    expect(scalingUp?.message).toBe(
      'Scaling up from 0 to 1 replicas is blocked because:\n* TestMachineTemplate does not exist',
    );
    await fixture.createTemplate();
    await fixture.until('available', available(1));
    expect(await fixture.client.list(machines, { namespace })).toMatchObject({ items: [{}] });
  });
});
