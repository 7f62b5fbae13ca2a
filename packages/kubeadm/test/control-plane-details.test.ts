import { clusters, getV1beta1Condition, labels, type Machine, machines, nameOf } from '@slipway/cluster-api';
import type { Frozen, OwnerReference } from '@slipway/kube';
import { edit, getCondition, ownerReference } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patchObject } from '@slipway/testing/plane';
import { kubeadmConfigs, kubeadmControlPlanes } from '../src/index.js';
import {
  available,
  ControlPlaneFixture,
  key,
  namespace,
  testMachines,
  testMachineTemplates,
} from './control-plane-fixture.js';

describe('a control plane', () => {
  let fixture: ControlPlaneFixture;

  beforeEach(async () => {
    fixture = await ControlPlaneFixture.start();
  });
  afterEach(() => fixture.plane.stop());

  it('deletes the objects of a machine that cannot be created, and reports why', async () => {
    await fixture.createTemplate();
    fixture.quota.isExhausted = true;
    await fixture.createControlPlane();
    await fixture.untilCondition('ScalingUp', 'the quota is exhausted');
    expect((await fixture.condition('ScalingUp'))?.message).toContain(
      'is blocked because:\n* failed to create Machine: ',
    );
    const left = await Promise.all(
      [testMachines, kubeadmConfigs].map((resource) => fixture.client.list(resource as never, { namespace })),
    );
    expect(left.map(({ items }) => items.length)).toEqual([0, 0]);
    const created = getV1beta1Condition((await fixture.controlPlane()) as never, 'MachinesCreated');
    expect(created).toMatchObject({ status: 'False', reason: 'MachineGenerationFailed', severity: 'Error' });
    fixture.quota.isExhausted = false;
    await fixture.until('available', available(1));
  });

  it('deletes the objects of a Machine that was never created, and nothing else', async () => {
    await fixture.bringUp();
    const controlPlane = await fixture.controlPlane();
    const own = { [labels.clusterName]: 'c', [labels.controlPlaneName]: 'cp' };
    const leave = (name: string, owners: readonly OwnerReference[]): Promise<unknown> =>
      fixture.client.create(testMachines, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1',
        kind: 'TestMachine',
        metadata: { name, namespace, labels: own, ownerReferences: [...owners] },
      });
    await leave('orphan', [ownerReference(controlPlane)]);
    await leave('of-somebody', []);
    await fixture.change((draft) => void (draft.metadata.annotations = { look: 'again' }));
    await fixture.plane.untilGone(testMachines, key('orphan'));
    const { items } = await fixture.client.list(testMachines, { namespace });
    expect(items.map(nameOf)).toHaveLength(2);
  });

  it('deletes machines although its template does not exist', async () => {
    await fixture.bringUp({ replicas: 3 });
    await fixture.client.delete(testMachineTemplates, key('t'));
    const name = nameOf((await fixture.machines())[0] as Frozen<Machine>);
    await fixture.client.delete(machines, key(name));
    await fixture.until('gone', async () => (await fixture.machines()).length === 2);
    await fixture.untilCondition(
      'ScalingUp',
      'Scaling up from 2 to 3 replicas is blocked because:\n* TestMachineTemplate does not exist',
    );
    await fixture.createTemplate();
    await fixture.until('available', available(3));
    expect((await fixture.machines()).map(nameOf)).not.toContain(name);
  });

  it('adds labels to existing objects and removes them, without replacing machines [14.16, 14.42]', async () => {
    await fixture.bringUp();
    const name = nameOf((await fixture.machines())[0] as Frozen<Machine>);
    const labelsOf = async () =>
      Promise.all(
        [machines, kubeadmConfigs, testMachines].map(
          async (resource) => (await fixture.client.get(resource as never, key(name))) as Frozen<Machine>,
        ),
      ).then((objects) => objects.map(({ metadata }) => metadata.labels?.['team']));
    await fixture.change(({ spec }) => void (spec.machineTemplate.metadata = { labels: { team: 'red' } }));
    await fixture.until('labelled', async () => (await labelsOf()).every((team) => team === 'red'));
    await fixture.change(({ spec }) => void delete spec.machineTemplate.metadata);
    await fixture.until('without labels', async () => (await labelsOf()).every((team) => team === undefined));
    expect((await fixture.machines()).map(nameOf)).toEqual([name]);
    const machine = await fixture.client.get(machines, key(name));
    expect(machine.metadata.labels).toHaveProperty([labels.controlPlane]);
  });

  it('does nothing while it is paused, and continues afterwards', async () => {
    await fixture.createTemplate();
    const { metadata } = await fixture.createControlPlane({}, { 'cluster.x-k8s.io/paused': '' });
    await fixture.untilCondition('Paused', 'KubeadmControlPlane has the cluster.x-k8s.io/paused annotation');
    await fixture.rounds(3);
    expect(await fixture.machines()).toEqual([]);
    await fixture.change((draft) => void (draft.metadata.annotations = {}));
    await fixture.until('available', available(1));
    expect((await fixture.controlPlane()).metadata.uid).toBe(metadata.uid);
  });

  it('keeps its conditions while the cluster is unreachable, and reports it after five minutes [14.41]', async () => {
    await fixture.bringUp();
    fixture.plane.setReachable(key('c'), false);
    await fixture.plane.clock.advance(120_000);
    await fixture.change((draft) => void (draft.metadata.annotations = { look: 'again' }));
    await fixture.plane.clock.advance(10_000);
    expect((await fixture.condition('ControlPlaneComponentsHealthy'))?.status).toBe('True');
    await fixture.plane.clock.advance(300_000);
    await fixture.untilCondition('ControlPlaneComponentsHealthy', 'Last successful probe');
    expect(await fixture.condition('ControlPlaneComponentsHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'ConnectionDown',
      message: expect.stringMatching(/^Last successful probe at 20/) as string,
    });
    const [machine] = await fixture.machines();
    expect(getCondition(machine as Frozen<Machine>, 'EtcdMemberHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'ConnectionDown',
    });
  });

  it('waits for workers, and lists them, before it deletes its machines [14.38]', async () => {
    await fixture.bringUp();
    const worker = await fixture.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name: 'worker', namespace, labels: { [labels.clusterName]: 'c' }, finalizers: ['test/hold'] },
      spec: {
        clusterName: 'c',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { apiGroup: testMachines.group, kind: 'TestMachine', name: 'worker' },
      },
    });
    await fixture.client.delete(kubeadmControlPlanes, key('cp'));
    await fixture.untilCondition('Deleting', 'deletion blocked');
    expect(await fixture.condition('Deleting')).toMatchObject({
      status: 'True',
      reason: 'WaitingForWorkersDeletion',
      message: 'KubeadmControlPlane deletion blocked because following objects still exist:\n* Machines: worker',
    });
    expect((await fixture.machines()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    await patchObject(
      fixture.client,
      machines,
      worker,
      edit(worker, ({ metadata }) => void (metadata.finalizers = [])),
    );
    await fixture.client.delete(machines, key('worker'));
    // The deletion of the worker triggers the reconcile, not this second.
    await fixture.plane.clock.advance(1_000);
    expect(await fixture.condition('Deleting')).toMatchObject({
      reason: 'WaitingForMachineDeletion',
      message: 'Deleting 1 Machine',
    });
    const [left] = await fixture.machines();
    expect(left?.metadata.annotations ?? {}).not.toHaveProperty([
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup',
    ]);
  });

  it('is deleted even when its Cluster no longer exists', async () => {
    await fixture.bringUp();
    await fixture.client.delete(clusters, key('c'), { propagationPolicy: 'Orphan' });
    await fixture.client.delete(kubeadmControlPlanes, key('cp'));
    await fixture.rounds(3);
    await fixture.plane.untilGone(kubeadmControlPlanes as never, key('cp'));
    expect(await fixture.machines()).toEqual([]);
  });

  it('adopts machines without a controller, and rejects those with too large a version skew', async () => {
    await fixture.createTemplate();
    const orphan = (name: string, version: string): Promise<Frozen<Machine>> =>
      fixture.client.create(machines, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: { name, namespace, labels: { [labels.clusterName]: 'c', [labels.controlPlane]: '' } },
        spec: {
          clusterName: 'c',
          version,
          bootstrap: { configRef: { apiGroup: kubeadmConfigs.group, kind: 'KubeadmConfig', name } },
          infrastructureRef: { apiGroup: testMachines.group, kind: 'TestMachine', name },
        },
      });
    await fixture.client.create(kubeadmConfigs, {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfig',
      metadata: { name: 'old', namespace },
      spec: { verbosity: 1 },
    });
    await orphan('old', 'v1.33.0');
    await fixture.createControlPlane();
    await fixture.rounds(2);
    expect((await fixture.client.get(machines, key('old'))).metadata.ownerReferences).toBeUndefined();
    await fixture.changeMachine('old', ({ spec }) => void (spec.version = 'v1.34.0'));
    await fixture.until('adopted', async () => {
      const [machine] = await fixture.machines();
      return machine?.metadata.ownerReferences?.[0]?.kind === 'KubeadmControlPlane';
    });
    expect(await fixture.client.get(machines, key('old'))).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'KubeadmControlPlane', name: 'cp', controller: true }] },
    });
  });

  it('reports all status fields that other controllers read', async () => {
    await fixture.bringUp({ replicas: 3 });
    const { status, metadata } = await fixture.controlPlane();
    expect(status).toMatchObject({
      selector: 'cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/control-plane',
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      upToDateReplicas: 3,
      version: 'v1.35.0',
      versions: [{ version: 'v1.35.0', replicas: 3 }],
      initialization: { controlPlaneInitialized: true },
      observedGeneration: metadata.generation,
      deprecated: { v1beta1: { readyReplicas: 3, updatedReplicas: 3, unavailableReplicas: 0 } },
    });
    const controlPlane = await fixture.controlPlane();
    const deprecated = ['Available', 'CertificatesAvailable', 'MachinesCreated', 'Resized', 'EtcdClusterHealthy'].map(
      (type) => getV1beta1Condition(controlPlane as never, type)?.status,
    );
    expect(deprecated).toEqual(['True', 'True', 'True', 'True', 'True']);
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      'Available',
      'CertificatesAvailable',
      'Initialized',
      'EtcdClusterHealthy',
      'ControlPlaneComponentsHealthy',
      'RollingOut',
      'Remediating',
      'ScalingDown',
      'ScalingUp',
      'MachinesReady',
      'MachinesUpToDate',
      'Paused',
      'Deleting',
    ]);
  });

  it('updates its status even when it fails, but not observedGeneration [14.7, 14.8]', async () => {
    await fixture.bringUp();
    const before = (await fixture.controlPlane()).status?.observedGeneration;
    await fixture.change(({ spec }) => {
      spec.machineTemplate.spec.infrastructureRef.kind = 'UnknownMachineTemplate';
      spec.replicas = 3;
    });
    await fixture.untilCondition('ScalingUp', 'is not installed');
    const controlPlane = await fixture.controlPlane();
    expect(controlPlane.status?.observedGeneration).toBe(before);
    const scalingUp = getCondition(controlPlane, 'ScalingUp');
    expect(scalingUp?.observedGeneration).toBe(controlPlane.metadata.generation);
    expect(scalingUp?.message).toContain(
      'the kind UnknownMachineTemplate of infrastructure.cluster.x-k8s.io is not installed',
    );
  });

  it('rebuilds its status when it is lost [14.43]', async () => {
    await fixture.bringUp();
    await fixture.change((draft) => void delete draft.status);
    await fixture.change((draft) => void (draft.metadata.annotations = { moved: 'here' }));
    await fixture.until('available', available(1));
    expect(await fixture.machines()).toHaveLength(1);
  });
});
