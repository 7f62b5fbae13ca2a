import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InProcessClient } from '@slipway/plane';
import type { Frozen } from '@slipway/kube';
import { controllerOf, getCondition, isConditionTrue, isDeleting } from '@slipway/runtime';
import {
  clusters,
  type MachineDeployment,
  machineDeployments,
  machines,
  type MachineSet,
  machineSets,
  nameOf,
  revisionAnnotations,
} from '../src/index.js';
import { keyOfName, machineDeployment, MachineEnvironment } from './support/machine-environment.js';
import { testMachineTemplates } from './support/provider-kinds.js';

let environment: MachineEnvironment;
const deployments = machineDeployments;
const create = (replicas: number, change?: (deployment: MachineDeployment) => void): Promise<unknown> =>
  environment.plane.client.create(machineDeployments, machineDeployment(replicas, change));
const setsOf = async (): Promise<readonly Frozen<MachineSet>[]> =>
  (await environment.plane.client.list(machineSets, { namespace: 'default' })).items;
const upgrade = (version: string): Promise<unknown> =>
  environment.patch(deployments, 'md', { spec: { template: { spec: { version } } } });
const messageOf = async (type: string): Promise<string | undefined> => {
  const condition = getCondition(await environment.deployment(), type);
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
};
const versions = async (): Promise<(string | undefined)[]> =>
  (await environment.machines()).map(({ spec }) => spec.version);
const revisionOf = ({ metadata }: Frozen<MachineSet> | Frozen<MachineDeployment>): string | undefined =>
  metadata.annotations?.[revisionAnnotations.revision];

/** Advances until all machines have the version, and checks the rollout limits after every step. */
async function rolledOut(
  version: string,
  limits: { readonly most: number; readonly available: number },
): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    const all = await environment.machines();
    expect(all.length, `round ${round}`).toBeLessThanOrEqual(limits.most);
    const available = all.filter((machine) => isConditionTrue(machine, 'Available') && !isDeleting(machine));
    expect(available.length, `round ${round}`).toBeGreaterThanOrEqual(limits.available);
    if (all.every(({ spec }) => spec.version === version) && (await setsOf()).length === 1) return;
    await environment.actor.act();
  }
  throw new Error(`not rolled out: ${JSON.stringify(await versions())}`);
}

beforeEach(async () => {
  environment = await MachineEnvironment.start();
});
afterEach(() => environment.plane.stop());

describe('rolling update', () => {
  it('creates a MachineSet, which creates machines', async () => {
    await create(3);
    await environment.actor.act(2);
    const [set] = await setsOf();
    const deployment = await environment.deployment();
    expect(nameOf(set as never)).toMatch(/^md-[a-z0-9]{5}$/);
    expect(controllerOf(set as never)).toMatchObject({ kind: 'MachineDeployment', name: 'md' });
    expect(set?.metadata.finalizers).toEqual(['cluster.x-k8s.io/machineset']);
    expect([revisionOf(set as never), revisionOf(deployment)]).toEqual(['1', '1']);
    expect(set?.metadata.labels?.['machine-template-hash']).toMatch(/^[0-9]+-[a-z0-9]{5}$/);
    expect(deployment.status).toMatchObject({
      replicas: 3,
      availableReplicas: 3,
      upToDateReplicas: 3,
      phase: 'Running',
    });
    expect(await messageOf('Available')).toBe('True Available: ');
    const events = await environment.eventsOf('md');
    const name = nameOf(set as never);
    expect(events).toContain(`SuccessfulCreate: Created MachineSet default/${name} with 3 replicas`);
    await environment.scale(deployments, 'md', 4);
    expect(await environment.eventsOf('md')).toContain(`SuccessfulScale: Scaled up MachineSet ${name}: 3 -> 4`);
  });

  const rows = [
    { name: 'surge 1, unavailable 0', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }, most: 4, available: 3 },
    { name: 'surge 0, unavailable 1', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, most: 3, available: 2 },
    {
      name: 'surge 100%, unavailable 0',
      rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 },
      most: 6,
      available: 3,
    },
  ] as const;
  it.each(rows)('keeps within $name, and deletes old MachineSets when complete [14.17, 14.18]', async (row) => {
    const { rollingUpdate, most, available } = row;
    await create(3, ({ spec }) => {
      spec.rollout = { strategy: { type: 'RollingUpdate', rollingUpdate } };
    });
    await environment.actor.act(3);
    const [first] = await setsOf();
    await upgrade('v1.36.0');
    await rolledOut('v1.36.0', { most, available });
    await environment.actor.act();
    const [set] = await setsOf();
    expect(nameOf(set as never)).not.toBe(nameOf(first as never));
    expect([revisionOf(set as never), revisionOf(await environment.deployment())]).toEqual(['2', '2']);
    expect(await messageOf('RollingOut')).toBe('False NotRollingOut: ');
    expect((await environment.triples()).infrastructure).toHaveLength(3);
  });

  it('has the same result when controllers restart at every step [14.47]', async () => {
    await create(3);
    await environment.actor.act(3);
    await upgrade('v1.36.0');
    for (let step = 0; step < 30; step += 1) {
      await environment.plane.clock.advance(step % 4);
      await environment.plane.restartControllers();
      if (step % 3 === 0) await environment.actor.act();
      expect((await environment.machines()).length).toBeLessThanOrEqual(4);
      expect((await setsOf()).length).toBeLessThanOrEqual(2);
    }
    await rolledOut('v1.36.0', { most: 4, available: 3 });
  });

  it('starts another rollout for a change during a rollout', async () => {
    await create(3);
    await environment.actor.act(3);
    await upgrade('v1.36.0');
    await environment.actor.act(2);
    await upgrade('v1.36.1');
    await rolledOut('v1.36.1', { most: 4, available: 3 });
    expect(revisionOf(await environment.deployment())).toBe('3');
  });

  it('ignores rollout.after until it passes [14.20]', async () => {
    await create(1);
    await environment.actor.act(3);
    const [before] = await environment.machines();
    const after = new Date(environment.plane.clock.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    await environment.patch(deployments, 'md', { spec: { rollout: { after } } });
    await environment.actor.act(3);
    expect((await environment.machines()).map(nameOf)).toEqual([nameOf(before as never)]);
    await environment.plane.clock.advance(3_601_000);
    await environment.actor.act(6);
    const names = (await environment.machines()).map(nameOf);
    expect(names).toHaveLength(1);
    expect(names).not.toContain(nameOf(before as never));
  });
});

it('does not re-create Machines that the user deletes with OnDelete [14.19]', async () => {
  await create(2, ({ spec }) => {
    spec.rollout = { strategy: { type: 'OnDelete' } };
  });
  await environment.actor.act(3);
  await upgrade('v1.36.0');
  await environment.actor.act(3);
  expect(await versions()).toEqual(['v1.35.0', 'v1.35.0']);
  const [oldest] = await environment.machines();
  await environment.plane.client.delete(machines, keyOfName(nameOf(oldest as never)));
  await environment.actor.act(4);
  expect(new Set(await versions())).toEqual(new Set(['v1.35.0', 'v1.36.0']));
  const old = (await setsOf()).find(({ spec }) => spec.template.spec.version === 'v1.35.0');
  expect(old?.metadata.annotations?.['cluster.x-k8s.io/disable-machine-create']).toBe('true');
});

describe('in-place updates', () => {
  it('propagate labels, annotations and timeouts to Machines without a rollout, and remove them [14.16]', async () => {
    await create(2);
    await environment.actor.act(3);
    const before = (await environment.machines()).map(({ metadata }) => metadata.uid);
    const template = { metadata: { labels: { team: 'a' } }, spec: { deletion: { nodeDrainTimeoutSeconds: 5 } } };
    await environment.patch(deployments, 'md', { metadata: { annotations: { note: 'x' } }, spec: { template } });
    await environment.actor.act(2);
    const changed = await environment.machines();
    expect(changed.map(({ metadata }) => metadata.uid)).toEqual(before);
    expect(changed[0]).toMatchObject({
      metadata: { labels: { team: 'a' } },
      spec: { deletion: { nodeDrainTimeoutSeconds: 5 } },
    });
    expect((await setsOf())[0]?.metadata.annotations).toMatchObject({ note: 'x' });
    await environment.plane.restartControllers();
    const gone = { metadata: { labels: { team: null } } };
    await environment.patch(deployments, 'md', { metadata: { annotations: { note: null } }, spec: { template: gone } });
    await environment.actor.act(2);
    const [set] = await setsOf();
    expect(set?.metadata.annotations).not.toHaveProperty('note');
    expect((await environment.machines())[0]?.metadata.labels).not.toHaveProperty('team');
    expect((await environment.machines()).map(({ metadata }) => metadata.uid)).toEqual(before);
  });

  it('writes nothing without a change', async () => {
    await create(2);
    await environment.actor.act(3);
    await environment.plane.restartControllers();
    await environment.plane.clock.advance(60_000);
    const seen = async (): Promise<unknown> =>
      [await environment.deployment(), ...(await setsOf())].map(({ metadata }) => metadata.resourceVersion);
    const before = await seen();
    const applied = vi.spyOn(InProcessClient.prototype, 'apply');
    await environment.plane.clock.advance(1_300_000);
    expect(applied).not.toHaveBeenCalled();
    applied.mockRestore();
    expect(await seen()).toEqual(before);
  });
});

it('reports a missing template, and continues as soon as it exists', async () => {
  await create(1, ({ spec }) => {
    spec.template.spec.infrastructureRef.name = 'later';
  });
  await environment.plane.settle();
  expect(await setsOf()).toHaveLength(0);
  expect(await messageOf('ScalingUp')).toBe(
    'True ScalingUp: Scaling up from 0 to 1 replicas is blocked because TestMachineTemplate does not exist',
  );
  await environment.createTemplate(testMachineTemplates, 'later');
  await environment.actor.act(2);
  expect(await environment.machines()).toHaveLength(1);
});

it('with spec.paused scales but does not roll out', async () => {
  await create(1);
  await environment.actor.act(3);
  const template = { spec: { version: 'v1.36.0' } };
  await environment.patch(deployments, 'md', { spec: { paused: true, replicas: 2, template } });
  await environment.actor.act(3);
  expect(await versions()).toEqual(['v1.35.0', 'v1.35.0']);
  await environment.patch(deployments, 'md', { spec: { paused: false } });
  await rolledOut('v1.36.0', { most: 3, available: 2 });
});

it('does nothing while its Cluster is paused', async () => {
  await environment.patch(clusters, 'c', { spec: { paused: true } });
  await create(1);
  await environment.actor.act(2);
  expect(await setsOf()).toHaveLength(0);
  expect(await messageOf('Paused')).toBe('True Paused: Cluster spec.paused is set to true');
});

it('adopts a matching MachineSet without a controller', async () => {
  await create(1);
  await environment.actor.act(3);
  const [set] = await setsOf();
  await environment.patch(machineSets, nameOf(set as never), { metadata: { ownerReferences: null } });
  await environment.actor.act(2);
  const after = await setsOf();
  expect(after.map(nameOf)).toEqual([nameOf(set as never)]);
  expect(controllerOf(after[0] as never)).toMatchObject({ name: 'md', controller: true });
});

describe('deletion', () => {
  it('deletes sets and machines first, and reports what it waits for', async () => {
    await create(2);
    await environment.actor.act(3);
    environment.actor.holdsDeleted = true;
    await environment.plane.client.delete(machineDeployments, keyOfName('md'));
    await environment.actor.act(2);
    expect(await messageOf('Deleting')).toBe('True Deleting: Deleting 2 Machines');
    expect((await environment.deployment()).status?.phase).toBe('ScalingDown');
    environment.actor.holdsDeleted = false;
    await environment.actor.act(3);
    await environment.plane.untilGone(deployments, keyOfName('md'));
    expect(await setsOf()).toHaveLength(0);
    expect(await environment.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
  });
});

describe('remediation', () => {
  const fail = async (name: string): Promise<void> => {
    const time = new Date(environment.plane.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    const machine = (await environment.machines()).find((each) => nameOf(each) === name);
    const failed = (type: string, reason: string): object => ({
      type,
      status: 'False',
      reason,
      message: 'x',
      lastTransitionTime: time,
    });
    const conditions = [
      ...(machine?.status?.conditions ?? []),
      failed('HealthCheckSucceeded', 'UnhealthyNode'),
      failed('OwnerRemediated', 'WaitingForRemediation'),
    ];
    await environment.patchStatus(machines, name, { conditions });
  };

  it('replaces unhealthy machines, at most maxInFlight concurrently', async () => {
    await create(3, ({ spec }) => {
      spec.remediation = { maxInFlight: 1 };
    });
    await environment.actor.act(3);
    environment.actor.holdsDeleted = true;
    const names = (await environment.machines()).map(nameOf);
    await Promise.all(names.map(fail));
    await environment.plane.settle();
    const all = await environment.machines();
    const deleting = all.filter(isDeleting);
    expect(deleting).toHaveLength(1);
    expect(getCondition(deleting[0] as never, 'OwnerRemediated')).toMatchObject({ reason: 'MachineDeleting' });
    const others = all.filter((machine) => !isDeleting(machine));
    expect(others.map((machine) => getCondition(machine, 'OwnerRemediated')?.reason)).toEqual([
      'RemediationDeferred',
      'RemediationDeferred',
    ]);
    expect(await messageOf('Remediating')).toMatch(/^True Remediating: /);
    environment.actor.holdsDeleted = false;
    await environment.actor.act(8);
    const replaced = await environment.machines();
    expect(replaced).toHaveLength(3);
    expect(replaced.map(nameOf).filter((name) => names.includes(name))).toEqual([]);
  });
});
