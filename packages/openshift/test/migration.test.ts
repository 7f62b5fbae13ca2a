import { annotations, machines, machineSets } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type Conditioned, coreEvents, getCondition, nodes, ownerReference, type Resource } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPlatform, mapiMachines, mapiMachineSets, type Platform } from '../src/index.js';
import { controlPlaneMachineSets } from '../src/api/index.js';
import {
  authorityOf,
  capiNamespace,
  isPaused,
  mapiMachine,
  mapiNamespace,
  mapiSet,
  type Migrated,
  providerSpecs,
  roleLabels,
  conditionText,
  statusOf,
  syncFinalizer,
} from './migration-fixture.js';
import { infraName, OpenShiftPlane } from './openshift-plane.js';

describe.each([
  { type: 'AWS', apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2' },
  { type: 'OpenStack', apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1' },
])('machines on $type', ({ type, apiVersion }) => {
  const providerSpec = providerSpecs[type] ?? {};
  let plane: OpenShiftPlane;
  let infraMachines: Resource;
  let templates: Resource;
  beforeAll(async () => {
    plane = await OpenShiftPlane.start({ platform: findPlatform(type) as Platform });
    await plane.setFeatureSet('DevPreviewNoUpgrade');
    infraMachines = await plane.resource(apiVersion, `${type}Machine`);
    templates = await plane.resource(apiVersion, `${type}MachineTemplate`);
  });
  afterAll(() => plane.stop());
  const mapiKey = (name: string) => ({ namespace: mapiNamespace, name });
  const capiKey = (name: string) => ({ namespace: capiNamespace, name });
  const requestAuthority = (resource: Resource, name: string, authoritativeAPI: string) =>
    plane.client.patch(resource, mapiKey(name), { type: 'merge', patch: { spec: { authoritativeAPI } } });
  const until = (
    resource: Resource,
    key: { namespace: string; name: string },
    check: (o: Frozen<KubeObject> | undefined) => boolean,
  ) => plane.until(resource, key, check);
  const mapi = mapiMachines;
  const capi = machines;

  it('creates a paused Cluster API mirror of a Machine with its status [operators 38]', async () => {
    await plane.client.create(mapiMachines, mapiMachine('one', providerSpec, 'MachineAPI'));
    await until(mapi, mapiKey('one'), (one) => (one as Frozen<Migrated> | undefined)?.status?.phase === 'Running');
    const source = await until(mapi, mapiKey('one'), (one) => {
      const synchronized = (one as Frozen<Migrated> | undefined)?.status?.synchronizedGeneration;
      return (
        conditionText(one, 'Synchronized') === 'True ResourceSynchronized' && synchronized === one?.metadata.generation
      );
    });
    expect(authorityOf(source)).toBe('MachineAPI');
    expect(conditionText(source, 'Paused')).toBe('False AuthoritativeAPIMachineAPI');
    const twin = await until(
      capi,
      capiKey('one'),
      (one) => conditionText(one, 'Paused') === 'True Paused' && statusOf(one)['nodeRef'] !== undefined,
    );
    expect(twin.metadata).toMatchObject({
      labels: { 'cluster.x-k8s.io/cluster-name': infraName, team: 'blue', 'node-role.kubernetes.io/worker': '' },
      annotations: { [annotations.paused]: '' },
      ownerReferences: [{ kind: 'Cluster', name: infraName }],
    });
    expect(twin.metadata.finalizers).toContain(syncFinalizer);
    expect(twin['status']).toMatchObject({
      phase: 'Running',
      nodeRef: { name: 'one.demo.example.com' },
      initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
      addresses: expect.arrayContaining([{ type: 'InternalDNS', address: 'one.demo.example.com' }]) as unknown,
    });
    expect(twin['spec']).toMatchObject({
      bootstrap: { dataSecretName: 'worker-user-data' },
      providerID: (source['spec'] as JsonObject)['providerID'],
    });
    const infra = await until(infraMachines, capiKey('one'), (one) => conditionText(one, 'Paused') === 'True Paused');
    expect(infra.metadata).toMatchObject({ ownerReferences: [{ kind: 'Machine', name: 'one', controller: true }] });
    expect(infra.metadata.finalizers).toContain(syncFinalizer);
    expect(infra['status']).toMatchObject({ ready: true });
    expect(plane.power).toEqual([{ machine: 'one', power: 'on', by: 'MachineAPI' }]);
  });

  it('changes the authoritative API once the previous one is paused [operators 36, operators 37]', async () => {
    const seen: string[] = [];
    const note = (object: Frozen<KubeObject> | undefined): void => {
      const now = `${authorityOf(object) ?? ''} ${conditionText(object, 'Paused').split(' ')[0] ?? ''}`;
      if (seen.at(-1) !== now) seen.push(now);
    };
    await requestAuthority(mapi, 'one', 'ClusterAPI');
    const moved = await until(mapi, mapiKey('one'), (one) => {
      note(one);
      return authorityOf(one) === 'ClusterAPI' && conditionText(one, 'Synchronized').startsWith('True');
    });
    expect(seen.at(-1)).toBe('ClusterAPI True');
    expect(conditionText(moved, 'Paused')).toBe('True AuthoritativeAPINotMachineAPI');
    const twin = await until(capi, capiKey('one'), (one) => conditionText(one, 'Paused').startsWith('False'));
    const infra = await until(infraMachines, capiKey('one'), (one) => conditionText(one, 'Paused').startsWith('False'));
    expect([isPaused(twin), isPaused(infra)]).toEqual([false, false]);
    await until(mapi, mapiKey('one'), (one) => {
      const { synchronizedGeneration } = (one as Frozen<Migrated>).status ?? {};
      return synchronizedGeneration === twin.metadata.generation;
    });
    expect((moved as Frozen<Migrated>).spec).toMatchObject({
      authoritativeAPI: 'ClusterAPI',
      providerSpec: { value: providerSpec },
    });
    expect(moved.metadata.labels).toMatchObject({ ...roleLabels, team: 'blue' });
  });

  it('synchronizes changes in Cluster API to Machine API', async () => {
    await plane.client.patch(capi, capiKey('one'), { type: 'merge', patch: { metadata: { labels: { team: 'red' } } } });
    const mirror = await until(mapi, mapiKey('one'), (one) => one?.metadata.labels?.['team'] === 'red');
    expect(mirror['status']).toMatchObject({
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'one.demo.example.com' },
    });
  });

  it('migrates back once Cluster API has paused both objects', async () => {
    await requestAuthority(mapi, 'one', 'MachineAPI');
    const back = await until(
      mapi,
      mapiKey('one'),
      (one) => authorityOf(one) === 'MachineAPI' && conditionText(one, 'Synchronized').startsWith('True'),
    );
    expect(conditionText(await until(capi, capiKey('one'), isPaused), 'Paused')).toBe('True Paused');
    await until(infraMachines, capiKey('one'), (one) => conditionText(one, 'Paused') === 'True Paused');
    const running = await until(mapi, mapiKey('one'), (one) => conditionText(one, 'Paused').startsWith('False'));
    expect(back.metadata.uid).toBe(running.metadata.uid);
    expect((await plane.client.list(nodes)).items.map(({ metadata }) => metadata.name)).toEqual([
      'one.demo.example.com',
    ]);
  });

  it('reverts a migration when the request is reverted', async () => {
    await requestAuthority(mapi, 'one', 'ClusterAPI');
    await until(mapi, mapiKey('one'), (one) => authorityOf(one) !== 'MachineAPI');
    await requestAuthority(mapi, 'one', 'MachineAPI');
    await until(
      mapi,
      mapiKey('one'),
      (one) => authorityOf(one) === 'MachineAPI' && conditionText(one, 'Synchronized').startsWith('True'),
    );
    expect(isPaused(await plane.client.get(machines, capiKey('one')))).toBe(true);
  });

  it('deletes the Machine with its mirror, and its instance by the authoritative API [operators 39]', async () => {
    await plane.client.delete(machines, capiKey('one'));
    for (const [resource, key] of [
      [mapi, mapiKey('one')],
      [capi, capiKey('one')],
      [infraMachines, capiKey('one')],
    ] as const)
      await until(resource, key, (one) => one === undefined);
    expect(plane.power.at(-1)).toEqual({ machine: 'one', power: 'off', by: 'MachineAPI' });
    expect((await plane.client.list(nodes)).items).toEqual([]);
  });

  it('starts and deletes a Machine by Cluster API if that is authoritative', async () => {
    await plane.client.create(mapiMachines, mapiMachine('two', providerSpec, 'ClusterAPI'));
    const mirror = await until(
      mapi,
      mapiKey('two'),
      (one) => (one as Frozen<Migrated> | undefined)?.status?.phase === 'Running',
    );
    expect(mirror['status']).toMatchObject({
      authoritativeAPI: 'ClusterAPI',
      nodeRef: { name: 'two.demo.example.com' },
    });
    expect(isPaused(await plane.client.get(machines, capiKey('two')))).toBe(false);
    await plane.client.delete(mapiMachines, mapiKey('two'));
    for (const [resource, key] of [
      [mapi, mapiKey('two')],
      [capi, capiKey('two')],
      [infraMachines, capiKey('two')],
    ] as const)
      await until(resource, key, (one) => one === undefined);
    expect(plane.power.slice(-2)).toEqual([
      { machine: 'two', power: 'on', by: 'ClusterAPI' },
      { machine: 'two', power: 'off', by: 'ClusterAPI' },
    ]);
  });

  it('reports a field that cannot be converted, and Machine API continues', async () => {
    const wrong = mapiMachine('wrong', providerSpec, 'MachineAPI');
    await plane.client.create(mapiMachines, {
      ...wrong,
      spec: { ...wrong.spec, taints: [{ key: 'a', effect: 'NoSchedule' }] },
    });
    const refused = await until(mapi, mapiKey('wrong'), (one) =>
      conditionText(one, 'Synchronized').startsWith('False'),
    );
    expect(getCondition(refused as Conditioned, 'Synchronized')).toMatchObject({
      reason: 'FailedToConvertMAPIMachineToCAPI',
      severity: 'Error',
      message: expect.stringContaining('spec.taints') as unknown,
    });
    await until(mapi, mapiKey('wrong'), (one) => (one as Frozen<Migrated> | undefined)?.status?.phase === 'Running');
    expect(await plane.find(machines, capiKey('wrong'))).toBeUndefined();
    const events = (await plane.client.list(coreEvents)).items.filter(
      ({ involvedObject }) => involvedObject.name === 'wrong',
    );
    expect(events.map(({ reason }) => reason)).toContain('SynchronizationError');
    await requestAuthority(mapi, 'wrong', 'ClusterAPI');
    await plane.settle();
    expect(authorityOf(await plane.client.get(mapiMachines, mapiKey('wrong')))).toBe('MachineAPI');
    await plane.client.patch(mapi, mapiKey('wrong'), {
      type: 'merge',
      patch: { spec: { taints: null, authoritativeAPI: 'MachineAPI' } },
    });
    await until(mapi, mapiKey('wrong'), (one) => conditionText(one, 'Synchronized').startsWith('True'));
    await plane.client.delete(mapiMachines, mapiKey('wrong'));
    await until(mapi, mapiKey('wrong'), (one) => one === undefined);
    await until(capi, capiKey('wrong'), (one) => one === undefined);
  });

  it('does not migrate a Machine that a ControlPlaneMachineSet owns', async () => {
    const owned = mapiMachine('owned', providerSpec, 'MachineAPI');
    const set = await plane.client.create(controlPlaneMachineSets, {
      apiVersion: 'machine.openshift.io/v1',
      kind: 'ControlPlaneMachineSet',
      metadata: { namespace: mapiNamespace, name: 'cluster' },
      spec: { state: 'Inactive' },
    });
    const owner = ownerReference(set);
    await plane.client.create(mapiMachines, { ...owned, metadata: { ...owned.metadata, ownerReferences: [owner] } });
    const refused = await until(mapi, mapiKey('owned'), (one) =>
      conditionText(one, 'Synchronized').startsWith('False'),
    );
    expect(getCondition(refused as Conditioned, 'Synchronized')?.message).toContain('ControlPlaneMachineSet cluster');
    await plane.client.delete(mapiMachines, mapiKey('owned'));
    await until(mapi, mapiKey('owned'), (one) => one === undefined);
  });

  describe('sets', () => {
    const sets = mapiMachineSets;
    const capiSets = machineSets;
    const namesOf = async (resource: Resource, namespace: string): Promise<string[]> =>
      (await plane.client.list(resource, { namespace })).items
        .map(({ metadata }) => metadata.name ?? '')
        .filter((name) => name.startsWith('pool') || name.startsWith('workers'));

    it('have a mirror with a template, and their Machines have owners in both APIs', async () => {
      await plane.client.create(mapiMachineSets, mapiSet('pool', providerSpec, 'MachineAPI'));
      const source = await until(
        sets,
        mapiKey('pool'),
        (one) => statusOf(one)['readyReplicas'] === 1 && conditionText(one, 'Synchronized').startsWith('True'),
      );
      const twin = await until(capiSets, capiKey('pool'), (one) => statusOf(one)['readyReplicas'] === 1);
      expect(isPaused(twin)).toBe(true);
      expect(twin['status']).toMatchObject({
        replicas: 1,
        upToDateReplicas: 0,
        observedGeneration: twin.metadata.generation,
      });
      const [template] = await namesOf(templates, capiNamespace);
      expect(template).toMatch(/^pool-[0-9a-f]{8}$/);
      expect(twin['spec']).toMatchObject({ template: { spec: { infrastructureRef: { name: template } } } });
      const [name = ''] = await namesOf(mapi, mapiNamespace);
      const machine = await until(capi, capiKey(name), (one) => one !== undefined);
      expect(machine.metadata).toMatchObject({
        labels: { 'cluster.x-k8s.io/set-name': 'pool' },
        ownerReferences: [{ kind: 'MachineSet', name: 'pool', controller: true, uid: twin.metadata.uid }],
      });
      expect(authorityOf(source)).toBe('MachineAPI');
    });

    it('get a new template for a new spec, and the old one is deleted', async () => {
      const [before] = await namesOf(templates, capiNamespace);
      const field = type === 'AWS' ? 'instanceType' : 'flavor';
      const changed = { template: { spec: { providerSpec: { value: { ...providerSpec, [field]: 'other' } } } } };
      await plane.client.patch(sets, mapiKey('pool'), { type: 'merge', patch: { spec: changed } });
      await until(templates, capiKey(before ?? ''), (one) => one === undefined);
      const [after] = await namesOf(templates, capiNamespace);
      expect(after).not.toBe(before);
    });

    it('are migrated, and their Cluster API Machines are mirrored in Machine API', async () => {
      await requestAuthority(sets, 'pool', 'ClusterAPI');
      await until(
        sets,
        mapiKey('pool'),
        (one) => authorityOf(one) === 'ClusterAPI' && conditionText(one, 'Synchronized').startsWith('True'),
      );
      expect(isPaused(await plane.client.get(machineSets, capiKey('pool')))).toBe(false);
      await plane.client.patch(capiSets, capiKey('pool'), { type: 'merge', patch: { spec: { replicas: 2 } } });
      const mirror = await until(sets, mapiKey('pool'), (one) => statusOf(one)['readyReplicas'] === 2);
      expect(mirror['spec']).toMatchObject({ replicas: 2, authoritativeAPI: 'ClusterAPI' });
      const made = (await plane.client.list(mapiMachines, { namespace: mapiNamespace })).items.filter(({ metadata }) =>
        metadata.name?.startsWith('pool'),
      );
      expect(new Set(made.map(({ spec }) => spec?.authoritativeAPI))).toEqual(new Set(['ClusterAPI', 'MachineAPI']));
      for (const { metadata } of made)
        expect(metadata.ownerReferences).toMatchObject([
          { kind: 'MachineSet', name: 'pool', uid: mirror.metadata.uid },
        ]);
    });

    it('stay in Cluster API when their mirror in Machine API is deleted [operators 39]', async () => {
      const own = (await plane.client.list(mapiMachines, { namespace: mapiNamespace })).items.find(
        ({ metadata, spec }) => metadata.name?.startsWith('pool') && spec?.authoritativeAPI === 'MachineAPI',
      );
      await requestAuthority(mapi, own?.metadata.name ?? '', 'ClusterAPI');
      await until(mapi, mapiKey(own?.metadata.name ?? ''), (one) => authorityOf(one) === 'ClusterAPI');
      await plane.client.delete(mapiMachineSets, mapiKey('pool'));
      await until(sets, mapiKey('pool'), (one) => one === undefined);
      await plane.clock.advance(30_000);
      const kept = await plane.client.get(machineSets, capiKey('pool'));
      expect(kept.metadata.deletionTimestamp).toBeUndefined();
      expect(kept.metadata.finalizers).not.toContain(syncFinalizer);
      expect(await namesOf(capi, capiNamespace)).toHaveLength(2);
      expect(plane.power.filter(({ machine, power }) => machine.startsWith('pool') && power === 'off')).toEqual([]);
      await plane.client.delete(machineSets, capiKey('pool'));
      await until(capiSets, capiKey('pool'), (one) => one === undefined);
      await expect
        .poll(async () => {
          await plane.settle();
          return [...(await namesOf(capi, capiNamespace)), ...(await namesOf(mapi, mapiNamespace))];
        })
        .toEqual([]);
    });

    it('are deleted in both APIs, with Machines and templates, when Machine API is authoritative [operators 39]', async () => {
      await plane.client.create(mapiMachineSets, mapiSet('workers', providerSpec, 'MachineAPI'));
      await until(capiSets, capiKey('workers'), (one) => statusOf(one)['readyReplicas'] === 1);
      await plane.client.delete(machineSets, capiKey('workers'));
      await until(sets, mapiKey('workers'), (one) => one === undefined);
      await until(capiSets, capiKey('workers'), (one) => one === undefined);
      await expect
        .poll(async () => {
          await plane.settle();
          const left = await Promise.all([
            namesOf(capi, capiNamespace),
            namesOf(mapi, mapiNamespace),
            namesOf(templates, capiNamespace),
            namesOf(infraMachines, capiNamespace),
          ]);
          return left.flat().filter((name) => name.startsWith('workers'));
        })
        .toEqual([]);
    });
  });

  it('starts and terminates every instance exactly once', () => {
    for (const power of ['on', 'off']) {
      const of = plane.power.filter((event) => event.power === power).map(({ machine }) => machine);
      expect(of).toEqual([...new Set(of)]);
      expect(of).not.toEqual([]);
    }
  });
});
