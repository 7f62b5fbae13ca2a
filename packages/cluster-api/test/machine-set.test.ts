import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InProcessClient } from '@slipway/plane';
import { type ChangeRecord, controllerOf, getCondition, isDeleting, type Resource } from '@slipway/runtime';
import { clusters, labels, type MachineSet, machines, machineSets, nameOf } from '../src/index.js';
import { cluster, keyOfName, machineSet, MachineEnvironment } from './support/machine-environment.js';
import {
  providerObject,
  testConfigs,
  testConfigTemplates,
  testControlPlanes,
  testMachines,
  testMachineTemplates,
} from './support/provider-kinds.js';

let environment: MachineEnvironment;
const sets = machineSets;
const create = (replicas: number, change?: (set: MachineSet) => void): Promise<unknown> =>
  environment.plane.client.create(machineSets, machineSet(replicas, change));
const messageOf = async (type: string): Promise<string | undefined> => {
  const condition = getCondition(await environment.set(), type);
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
};

beforeEach(async () => {
  environment = await MachineEnvironment.start();
});
afterEach(() => environment.plane.stop());

describe('a dry run', () => {
  it('lists every change of the creation of machines, and stores none of them', async () => {
    await create(0);
    await environment.plane.settle();
    await environment.plane.restartControllers({ dryRun: true });
    const records: ChangeRecord[] = [];
    environment.plane.changes.subscribe((record) => void records.push(record));
    await environment.scale(sets, 'ms', 2);
    await environment.plane.settle();
    expect(records.filter(({ result }) => result === 'failed').map(({ error }) => error)).toEqual([]);
    const linesOf = new Map<string, string[]>();
    for (const { verb, object, dryRun } of records) {
      if (verb === 'status' || !object.name.startsWith('ms-')) continue;
      const lines = linesOf.get(object.name) ?? [];
      linesOf.set(object.name, [...lines, `${verb} ${object.kind}${dryRun ? ' (dry run)' : ''}`]);
    }
    const oneMachine = [
      'create TestConfig (dry run)',
      'apply TestConfig (dry run)',
      'create TestMachine (dry run)',
      'apply TestMachine (dry run)',
      'apply Machine (dry run)',
    ];
    expect([...linesOf.values()].slice(0, 2)).toEqual([oneMachine, oneMachine]);
    expect((await environment.triples()).machines).toEqual([]);
    expect((await environment.triples()).infrastructure).toEqual([]);
  });
});

describe('replicas', () => {
  it('scales 0 to 5 to 2', async () => {
    await create(0);
    await environment.actor.act();
    expect(await environment.machines()).toHaveLength(0);
    await environment.scale(sets, 'ms', 5);
    await environment.actor.act(2);
    const { machines: names, infrastructure, bootstrap } = await environment.triples();
    expect(names).toHaveLength(5);
    expect(infrastructure, '14.13: Machine, InfraMachine and BootstrapConfig share one name').toEqual(names);
    expect(bootstrap).toEqual(names);
    const full = await environment.set();
    expect(full.status).toMatchObject({ replicas: 5, readyReplicas: 5, availableReplicas: 5, upToDateReplicas: 5 });
    expect(full.status?.versions).toEqual([{ version: 'v1.35.0', replicas: 5 }]);
    await environment.scale(sets, 'ms', 2);
    await environment.actor.act(3);
    const left = await environment.triples();
    expect(left.machines, '14.12: "Random" deletion order is deterministic by name').toEqual(names.slice(3));
    expect(left.infrastructure).toEqual(left.machines);
    expect((await environment.set()).status).toMatchObject({ replicas: 2, readyReplicas: 2, observedGeneration: 3 });
    const events = await environment.eventsOf('ms');
    expect(events.filter((text) => text.startsWith('SuccessfulCreate: Created Machine "ms-'))).toHaveLength(5);
    expect(events.filter((text) => text.startsWith('SuccessfulDelete: Deleted Machine "ms-'))).toHaveLength(3);
  });

  it('creates Machines with the finalizer, and their objects with cloned-from annotations [14.13]', async () => {
    await create(1);
    await environment.plane.settle();
    const [machine] = await environment.machines();
    expect(machine?.metadata.finalizers).toContain('machine.cluster.x-k8s.io');
    expect(machine === undefined ? undefined : controllerOf(machine)).toMatchObject({ kind: 'MachineSet', name: 'ms' });
    const infrastructure = await environment.plane.client.get(testMachines, keyOfName(nameOf(machine as never)));
    expect(infrastructure).toMatchObject({
      metadata: {
        labels: { size: 'l', [labels.clusterName]: 'c', [labels.setName]: 'ms' },
        annotations: {
          'cluster.x-k8s.io/cloned-from-name': 'machine',
          'cluster.x-k8s.io/cloned-from-groupkind': 'TestMachineTemplate.infrastructure.cluster.x-k8s.io',
        },
        ownerReferences: [{ kind: 'MachineSet', name: 'ms' }],
      },
      spec: { from: 'machine' },
    });
    const template = await environment.plane.client.get(testMachineTemplates, keyOfName('machine'));
    expect(template.metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'c' }]);
    expect((await environment.set()).metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'c' }]);
  });

  it('includes deleting machines in status.replicas, which blocks scale-up until they are gone [14.50]', async () => {
    await create(2);
    await environment.actor.act();
    environment.actor.holdsDeleted = true;
    const [first] = await environment.machines();
    await environment.plane.client.delete(machines, keyOfName(nameOf(first as never)));
    await environment.actor.act(2);
    expect(await environment.machines()).toHaveLength(2);
    expect((await environment.set()).status).toMatchObject({ replicas: 2 });
    environment.actor.holdsDeleted = false;
    await environment.actor.act(2);
    const names = (await environment.machines()).map(nameOf);
    expect(names).toHaveLength(2);
    expect(names).not.toContain(nameOf(first as never));
  });

  it('creates nothing while creation is disabled', async () => {
    await create(2, ({ metadata }) => {
      metadata.annotations = { 'cluster.x-k8s.io/disable-machine-create': 'true' };
    });
    await environment.actor.act(2);
    expect(await environment.machines()).toHaveLength(0);
  });
});

describe('missing prerequisites', () => {
  it('reports a missing template, and continues as soon as it exists', async () => {
    await create(1, ({ spec }) => {
      spec.template.spec.infrastructureRef.name = 'later';
    });
    await environment.plane.settle();
    const blocked = 'True ScalingUp: Scaling up from 0 to 1 replicas is blocked because:';
    expect(await messageOf('ScalingUp')).toBe(`${blocked}\n* TestMachineTemplate does not exist`);
    await environment.createTemplate(testMachineTemplates, 'later');
    await environment.actor.act(2);
    expect(await environment.machines()).toHaveLength(1);
    expect(await messageOf('ScalingUp')).toBe('False NotScalingUp: ');
  });

  it('reports a missing CRD', async () => {
    await create(1, ({ spec }) => {
      spec.template.spec.infrastructureRef.kind = 'UnknownTemplate';
    });
    await environment.plane.settle();
    expect(await messageOf('ScalingUp')).toMatch(/\* UnknownTemplate does not exist$/);
    expect((await environment.set()).status?.observedGeneration).toBeUndefined();
  });

  it('waits for its Cluster', async () => {
    await create(1, ({ spec }) => {
      spec.clusterName = 'other';
      spec.template.spec.clusterName = 'other';
    });
    await environment.plane.settle();
    expect(await messageOf('ScalingUp')).toMatch(/is blocked because:\n\* Cluster other does not exist$/);
    await environment.plane.client.create(clusters, cluster('other'));
    await environment.plane.settle();
    expect(await environment.machines()).toHaveLength(1);
  });

  it('waits until the control plane passes the preflight checks, and continues immediately', async () => {
    const controlPlane = providerObject(testControlPlanes, 'cp', { version: 'v1.35.0' });
    controlPlane.metadata.labels = { [labels.clusterName]: 'c' };
    await environment.plane.client.create(testControlPlanes, controlPlane);
    const controlPlaneRef = { apiGroup: testControlPlanes.group, kind: testControlPlanes.kind, name: 'cp' };
    await environment.patch(clusters, 'c', { spec: { controlPlaneRef } });
    await create(1);
    await environment.plane.settle();
    expect(await messageOf('ScalingUp')).toContain(
      'TestControlPlane default/cp is provisioning ("ControlPlaneIsStable" preflight check failed)',
    );
    expect(await environment.machines()).toHaveLength(0);
    await environment.patchStatus(testControlPlanes, 'cp', { version: 'v1.35.0' });
    await environment.plane.settle();
    expect(await environment.machines()).toHaveLength(1);
  });
});

it('creates no machine when a preflight check cannot run, and reports why', async () => {
  const controlPlaneRef = { apiGroup: testControlPlanes.group, kind: 'Unknown', name: 'cp' };
  await environment.patch(clusters, 'c', { spec: { controlPlaneRef } });
  await create(1);
  await environment.plane.settle();
  expect(await messageOf('ScalingUp')).toMatch(
    /\n\* the preflight checks failed: the kind Unknown of .* is not installed .*; install the provider/,
  );
  expect(await environment.machines()).toHaveLength(0);
});

describe('creation that fails half way', () => {
  it('deletes the objects created before, and reports why', async () => {
    const template = { spec: { refuse: 'now' } };
    await environment.plane.client.create(
      testMachineTemplates,
      providerObject(testMachineTemplates, 'empty', { template }),
    );
    await create(2, ({ spec }) => {
      spec.template.spec.infrastructureRef.name = 'empty';
    });
    await environment.plane.settle();
    expect(await environment.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
    const deprecated = (await environment.set()).status?.deprecated?.v1beta1?.conditions ?? [];
    expect(deprecated.find(({ type }) => type === 'MachinesCreated')).toMatchObject({
      status: 'False',
      severity: 'Error',
      reason: 'InfrastructureTemplateCloningFailed',
      message: expect.stringContaining('the provider is out of machines') as string,
    });
    expect((await environment.eventsOf('ms'))[0]).toMatch(
      /^FailedCreate: Failed to create Machine "ms-.*out of machines/,
    );
    // Further attempts do not change the status, so they follow the back-off.
    const { resourceVersion } = (await environment.set()).metadata;
    await environment.plane.clock.advance(10_000);
    expect((await environment.set()).metadata.resourceVersion).toBe(resourceVersion);
    await environment.patch(testMachineTemplates, 'empty', { spec: { template: { spec: { refuse: null } } } });
    await environment.plane.clock.advance(60_000);
    const { machines: names, infrastructure, bootstrap } = await environment.triples();
    expect(names).toHaveLength(2);
    expect([infrastructure, bootstrap]).toEqual([names, names]);
  });

  it('deletes infrastructure that a killed process left behind', async () => {
    await create(1);
    await environment.actor.act();
    const owner = await environment.set();
    for (const resource of [testConfigs, testMachines]) {
      const leftover = providerObject(resource, 'ms-left', {});
      const { apiVersion, kind } = owner;
      leftover.metadata.ownerReferences = [{ apiVersion, kind, name: 'ms', uid: owner.metadata.uid ?? '' }];
      await environment.plane.client.create(resource, leftover);
    }
    await environment.plane.restartControllers();
    await environment.actor.act();
    const { machines: names, infrastructure, bootstrap } = await environment.triples();
    expect(names).toHaveLength(1);
    expect([infrastructure, bootstrap]).toEqual([names, names]);
  });

  it('creates no duplicate Machines when the controller restarts between any two steps [14.47]', async () => {
    await create(3);
    for (let step = 0; step < 12; step += 1) {
      await environment.plane.clock.advance(step % 3);
      await environment.plane.restartControllers();
    }
    await environment.actor.act(2);
    const { machines: names, infrastructure, bootstrap } = await environment.triples();
    expect(names).toHaveLength(3);
    expect([infrastructure, bootstrap]).toEqual([names, names]);
  });
});

describe('in-place updates', () => {
  const labelsOf = async (resource: Resource, name: string): Promise<Readonly<Record<string, string>>> =>
    (await environment.plane.client.get(resource, keyOfName(name))).metadata.labels ?? {};

  /** Returns the labels of the Machine, its infrastructure and its bootstrap configuration. */
  const teamsOf = (name: string): Promise<(string | undefined)[]> =>
    Promise.all([machines, testMachines, testConfigs].map(async (each) => (await labelsOf(each, name))['team']));

  it('propagate labels, drain timeouts and minReadySeconds without rolling Machines, and remove labels [14.16, 14.42]', async () => {
    await create(1);
    await environment.actor.act();
    const [machine] = await environment.machines();
    const name = nameOf(machine as never);
    const template = { metadata: { labels: { team: 'a' } }, spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } };
    await environment.patch(sets, 'ms', { spec: { template } });
    await environment.actor.act();
    expect(await teamsOf(name)).toEqual(['a', 'a', 'a']);
    const [changed] = await environment.machines();
    expect(changed?.metadata.uid).toBe(machine?.metadata.uid);
    expect(changed?.metadata.finalizers).toEqual(machine?.metadata.finalizers);
    expect(changed?.spec.deletion).toMatchObject({ nodeDrainTimeoutSeconds: 60 });
    // Also works in a process that has not observed the last apply.
    await environment.plane.restartControllers();
    const gone = { metadata: { labels: { team: null } }, spec: { deletion: null } };
    await environment.patch(sets, 'ms', { spec: { template: gone } });
    await environment.actor.act();
    expect(await teamsOf(name)).toEqual([undefined, undefined, undefined]);
    expect(await labelsOf(testMachines, name)).toMatchObject({ size: 'l' });
    const [last] = await environment.machines();
    expect(last?.spec.deletion?.nodeDrainTimeoutSeconds).toBeUndefined();
  });

  it('remove a label that an old field manager wrote [14.42]', async () => {
    await create(1, ({ spec }) => {
      spec.template.metadata = { labels: { ...spec.template.metadata?.labels, team: 'a' } };
    });
    await environment.actor.act();
    const [machine] = await environment.machines();
    const name = nameOf(machine as never);
    // A MachineSet as Cluster API created it before 1.12.
    const old = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1',
      kind: 'TestMachine',
      metadata: { name, namespace: 'default', labels: { team: 'a' } },
    };
    const options = { fieldManager: 'capi-machineset', force: true };
    await environment.plane.client.apply(testMachines, keyOfName(name), old, options);
    const patch = { type: 'merge', patch: { metadata: { labels: { team: 'b' } } } } as const;
    await environment.plane.client.patch(testMachines, keyOfName(name), patch, { fieldManager: 'manager' });
    await environment.plane.restartControllers();
    await environment.actor.act();
    expect(await teamsOf(name)).toEqual(['a', 'a', 'a']);
    await environment.patch(sets, 'ms', { spec: { template: { metadata: { labels: { team: null } } } } });
    await environment.actor.act();
    expect(await teamsOf(name)).toEqual([undefined, undefined, undefined]);
  });

  it('writes nothing without a change', async () => {
    await create(3);
    await environment.actor.act(2);
    await environment.plane.restartControllers();
    await environment.plane.clock.advance(60_000);
    const versions = async (): Promise<unknown> => [
      (await environment.set()).metadata.resourceVersion,
      ...(await environment.machines()).map(({ metadata }) => metadata.resourceVersion),
    ];
    const before = await versions();
    const applied = vi.spyOn(InProcessClient.prototype, 'apply');
    await environment.plane.clock.advance(1_300_000);
    expect(applied).not.toHaveBeenCalled();
    applied.mockRestore();
    expect(await versions()).toEqual(before);
  });
});

it('adopts matching Machines without a controller', async () => {
  await create(2);
  await environment.actor.act(2);
  const [first] = await environment.machines();
  const name = nameOf(first as never);
  await environment.patch(machines, name, { metadata: { ownerReferences: null } });
  await environment.actor.act(2);
  const all = await environment.machines();
  expect(all).toHaveLength(2);
  expect(controllerOf(all.find((machine) => nameOf(machine) === name) as never)).toMatchObject({ name: 'ms' });
  expect(await environment.eventsOf('ms')).toContain(`SuccessfulAdopt: Adopted Machine "${name}"`);
});

it('does nothing while its Cluster is paused, and reports it', async () => {
  await environment.patch(clusters, 'c', { spec: { paused: true } });
  await create(2);
  await environment.actor.act(2);
  expect(await environment.machines()).toHaveLength(0);
  expect(await messageOf('Paused')).toBe('True Paused: Cluster spec.paused is set to true');
  await environment.patch(clusters, 'c', { spec: { paused: false } });
  await environment.actor.act(2);
  expect(await environment.machines()).toHaveLength(2);
  expect(await messageOf('Paused')).toBe('False NotPaused: ');
});

describe('deletion', () => {
  it('deletes all machines first, and reports what it waits for', async () => {
    await create(3);
    await environment.actor.act(2);
    environment.actor.holdsDeleted = true;
    await environment.plane.client.delete(machineSets, keyOfName('ms'));
    await environment.actor.act();
    expect((await environment.machines()).every(isDeleting)).toBe(true);
    expect(await messageOf('Deleting')).toBe('True Deleting: Deleting 3 Machines');
    await environment.plane.clock.advance(16 * 60_000);
    expect(await messageOf('Deleting')).toMatch(
      /^True Deleting: Deleting 3 Machines\n\* Machines .* are in deletion since/,
    );
    environment.actor.holdsDeleted = false;
    await environment.actor.act(2);
    await environment.plane.untilGone(sets, keyOfName('ms'));
    expect(await environment.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
  });

  it('needs neither the Cluster nor the templates', async () => {
    await create(1);
    await environment.actor.act(2);
    await environment.plane.client.delete(clusters, keyOfName('c'));
    await environment.plane.untilGone(testConfigTemplates, keyOfName('config'));
    await environment.actor.act(3);
    await environment.plane.untilGone(sets, keyOfName('ms'));
    expect(await environment.triples()).toEqual({ machines: [], infrastructure: [], bootstrap: [] });
  });
});
