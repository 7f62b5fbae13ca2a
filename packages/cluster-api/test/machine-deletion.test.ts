import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Frozen } from '@slipway/kube';
import {
  type Client,
  customResourceDefinitions,
  nodes,
  type Pod,
  podDisruptionBudgets,
  pods,
  type VolumeAttachment,
  persistentVolumes,
  volumeAttachments,
} from '@slipway/runtime';
import { machineDrainRules } from '../src/api/index.js';
import { clusters, labels, type Machine, machines } from '../src/index.js';
import { ClusterEnvironment, clusterKey, conditionText, keyOfName } from './support/cluster-environment.js';
import { testConfigs, testControlPlanes, testMachines } from './support/provider-kinds.js';

let environment: ClusterEnvironment;
let workload: Client;
beforeEach(async () => {
  environment = await ClusterEnvironment.start();
  await environment.createAll();
  workload = await environment.bringUpCluster();
});
afterEach(() => environment.plane.stop());

const worker = keyOfName('w');
const deleting = (object: Frozen<Machine>): string => conditionText(object, 'Deleting');

async function createWorker(change: (machine: Machine) => void = () => undefined): Promise<void> {
  await environment.createMachine('w', {}, change);
  await environment.bringUpMachine('w', workload);
}

async function createPod(name: string, change: (pod: Pod) => void = () => undefined): Promise<void> {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'a' } },
    spec: { nodeName: 'w', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
  };
  change(pod);
  await workload.create(pods, pod);
  const ready = { type: 'Ready', status: 'True' };
  const status = { phase: 'Running', conditions: [ready] };
  const key = { namespace: 'default', name };
  await workload.patch(pods, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
}

const podNames = async (): Promise<string[]> =>
  (await workload.list(pods)).items.map(({ metadata }) => metadata.name ?? '').sort();

describe('the deletion of a machine', () => {
  it('evicts the pods, and deletes infrastructure, bootstrap object and Node', async () => {
    await createWorker();
    await createPod('plain');
    await createPod('static', ({ metadata }) => void (metadata.annotations = { 'kubernetes.io/config.mirror': 'x' }));
    await createPod('kept', ({ metadata }) => void (metadata.labels = { [labels.drain]: 'skip' }));
    await environment.client.delete(machines, worker);
    await environment.plane.untilGone(machines, worker);
    expect(await podNames()).toEqual(['kept', 'static']);
    for (const resource of [testMachines, testConfigs])
      expect((await environment.client.list(resource)).items.map(({ metadata }) => metadata.name)).toEqual(['cp']);
    expect((await workload.list(nodes)).items.map(({ metadata }) => metadata.name)).toEqual(['cp']);
    expect(await environment.eventsOf('w')).toEqual(
      expect.arrayContaining([`SuccessfulDrainNode: success draining Machine's node "w"`, 'SuccessfulSetNodeRef: w']),
    );
  });

  it('reports which PodDisruptionBudget blocks the drain, and continues afterwards', async () => {
    await createWorker();
    await createPod('guarded');
    const selector = { matchLabels: { app: 'a' } };
    const spec = { minAvailable: 1, selector };
    const budget = { namespace: 'default', name: 'b' };
    const kind = 'PodDisruptionBudget';
    await workload.create(podDisruptionBudgets, { apiVersion: 'policy/v1', kind, metadata: budget, spec });
    await environment.plane.settle();
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('disruption budget'));
    const startedAt = held.status?.deletion?.nodeDrainStartTime ?? '';
    expect(deleting(held)).toBe(
      `True DrainingNode: Drain not completed yet (started at ${startedAt}):\n* Pod default/guarded: cannot evict pod as it would violate the pod's disruption budget. The disruption budget b needs 1 healthy pods and has 1 currently`,
    );
    expect(conditionText(held, 'Ready')).toBe(
      'False NotReady: * Deleting: Machine deletion in progress, stage: DrainingNode',
    );
    await workload.delete(podDisruptionBudgets, budget);
    await environment.plane.untilGone(machines, worker);
  });

  it('drains no longer than nodeDrainTimeoutSeconds, counted from the start of the drain [14.10]', async () => {
    await createWorker(({ spec }) => void (spec.deletion = { nodeDrainTimeoutSeconds: 60 }));
    await createPod('stays', ({ metadata }) => void (metadata.finalizers = ['example.com/stays']));
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('still not removed'));
    expect(deleting(held)).toContain('* Pod default/stays: deletionTimestamp set, but still not removed from the Node');
    await environment.plane.clock.advance(50_000);
    expect(deleting(await environment.machine('w'))).toContain('DrainingNode');
    await environment.plane.clock.advance(30_000);
    await environment.plane.untilGone(machines, worker);
  });

  it('follows the order of MachineDrainRules, and waits for pods that must complete', async () => {
    await createWorker();
    const rule = (name: string, behavior: 'Drain' | 'WaitCompleted', order: number): unknown =>
      environment.client.create(machineDrainRules, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineDrainRule',
        metadata: { name, namespace: 'default' },
        spec: { drain: { behavior, order }, pods: [{ selector: { matchLabels: { app: name } } }] },
      });
    await rule('last', 'Drain', 10);
    await rule('job', 'WaitCompleted', 5);
    await createPod('last', ({ metadata }) => void (metadata.labels = { app: 'last' }));
    await createPod('job', ({ metadata }) => void (metadata.labels = { app: 'job' }));
    await createPod('first', ({ metadata }) => {
      metadata.labels = {};
      metadata.finalizers = ['example.com/stays'];
    });
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('default/first'));
    expect(deleting(held)).toContain(
      '* Pod default/first: deletionTimestamp set, but still not removed from the Node\n' +
        'After above Pods have been removed from the Node, the following Pods will be evicted: default/last\n' +
        'After above Pods have been removed from the Node, waiting for the following Pods to complete without eviction: default/job',
    );
    const key = { namespace: 'default', name: 'first' };
    await workload.patch(pods, key, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await environment.machine('w', (object) => deleting(object).includes('* Pod default/job: waiting for completion'));
    expect(await podNames()).toEqual(['job', 'last']);
    await workload.delete(pods, { namespace: 'default', name: 'job' });
    await environment.plane.untilGone(machines, worker);
  });

  it('waits for hooks, and does not drain again while pre-terminate hooks wait [14.9]', async () => {
    const hooks = {
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': '',
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/z': '',
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '',
    };
    await createWorker(({ metadata }) => void (metadata.annotations = { ...hooks }));
    await createPod('before');
    await environment.client.delete(machines, worker);
    const first = await environment.machine('w', (object) => deleting(object).includes('WaitingForPreDrainHook'));
    expect(deleting(first)).toBe(
      'True WaitingForPreDrainHook: Waiting for pre-drain hooks to succeed (hooks: pre-drain.delete.hook.machine.cluster.x-k8s.io/backup)',
    );
    expect(first.status?.deletion?.waitForPreDrainHookStartTime).toBeDefined();
    expect(await podNames()).toEqual(['before']);
    const none = (name: string): object => ({ metadata: { annotations: { [name]: null } } });
    await environment.patch(machines, 'w', none('pre-drain.delete.hook.machine.cluster.x-k8s.io/backup'));
    const second = await environment.machine('w', (object) => deleting(object).includes('WaitingForPreTerminateHook'));
    expect(deleting(second)).toBe(
      'True WaitingForPreTerminateHook: Waiting for pre-terminate hooks to succeed (hooks: pre-terminate.delete.hook.machine.cluster.x-k8s.io/a,pre-terminate.delete.hook.machine.cluster.x-k8s.io/z)',
    );
    expect(await podNames()).toEqual([]);
    await createPod('later');
    await environment.patch(machines, 'w', none('pre-terminate.delete.hook.machine.cluster.x-k8s.io/z'));
    await environment.machine('w', (object) => !deleting(object).includes('/z'));
    await environment.plane.clock.advance(60_000);
    expect(await podNames(), 'nothing was drained again').toEqual(['later']);
    await environment.patch(machines, 'w', none('pre-terminate.delete.hook.machine.cluster.x-k8s.io/a'));
    await environment.plane.untilGone(machines, worker);
  });

  it('waits until volumes are detached, and lists them', async () => {
    await createWorker();
    const volume = { driver: 'csi', volumeHandle: 'h' };
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'claim' };
    const attachment: VolumeAttachment = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va' },
      spec: { attacher: 'csi', nodeName: 'w', source: { persistentVolumeName: 'pv' } },
    };
    await workload.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: volume, claimRef },
    });
    await workload.create(volumeAttachments, attachment);
    const key = { namespace: '', name: 'va' };
    const attached = { status: { attached: true } };
    await workload.patch(volumeAttachments, key, { type: 'merge', patch: attached }, { subresource: 'status' });
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('WaitingForVolumeDetach'));
    expect(deleting(held)).toContain('\n* PersistentVolumeClaims: default/claim');
    await workload.delete(volumeAttachments, key);
    await environment.plane.untilGone(machines, worker);
  });

  it('reports that the cluster is unreachable, and ends after the timeouts', async () => {
    const limits = { nodeDrainTimeoutSeconds: 300, nodeVolumeDetachTimeoutSeconds: 300 };
    await createWorker(({ spec }) => void (spec.deletion = limits));
    environment.plane.setReachable(clusterKey, false);
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('Error draining Node'));
    expect(deleting(held)).toContain('connection refused');
    await environment.plane.clock.advance(310_000);
    await environment.machine('w', (object) => deleting(object).includes('Error waiting for volumes'));
    await environment.plane.clock.advance(420_000);
    await environment.plane.untilGone(machines, worker);
    expect(await environment.eventsOf('w')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^FailedDrainNode: /),
        expect.stringMatching(/^FailedDeleteNode: /),
      ]),
    );
  });

  it('does not wait for pods and volumes of an unreachable Node', async () => {
    await createWorker();
    await createPod('stuck', ({ metadata }) => void (metadata.finalizers = ['example.com/stays']));
    const silent = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'silent' };
    const volumesAttached = [{ name: 'kubernetes.io/csi/d^v', devicePath: '' }];
    const body = { type: 'merge', patch: { status: { conditions: [silent], volumesAttached } } } as const;
    await workload.patch(nodes, { namespace: '', name: 'w' }, body, { subresource: 'status' });
    await environment.client.delete(machines, worker);
    await environment.machine('w', (object) => deleting(object).includes('DrainingNode'));
    await environment.plane.untilGone(machines, worker);
    const [pod] = (await workload.list(pods)).items;
    expect(pod?.metadata.deletionGracePeriodSeconds ?? 0).toBeLessThanOrEqual(1);
  });

  it('skips drain and Node when the control plane is being deleted [14.11]', async () => {
    await createWorker();
    await createPod('stays');
    await environment.patch(testControlPlanes, 'c', { metadata: { finalizers: ['example.com/busy'] } });
    await environment.client.delete(testControlPlanes, keyOfName('c'));
    await environment.client.delete(machines, worker);
    await environment.plane.untilGone(machines, worker);
    expect(await podNames()).toEqual(['stays']);
    expect((await workload.list(nodes)).items).toHaveLength(2);
  });

  it('skips drain and Node when the Cluster is deleting [14.11]', async () => {
    await createWorker();
    await createPod('stays');
    await environment.patch(testMachines, 'cp', { metadata: { finalizers: ['example.com/busy'] } });
    await environment.client.delete(clusters, clusterKey);
    await environment.plane.untilGone(machines, worker);
    expect(await podNames()).toEqual(['stays']);
    expect((await workload.list(nodes)).items).toHaveLength(2);
  });

  it('skips drain and Node when no active control plane machine is left [14.11]', async () => {
    await createWorker();
    await createPod('stays');
    await environment.patch(testMachines, 'cp', { metadata: { finalizers: ['example.com/busy'] } });
    await environment.client.delete(machines, keyOfName('cp'));
    await environment.client.delete(machines, worker);
    await environment.plane.untilGone(machines, worker);
    expect(await podNames()).toEqual(['stays']);
    expect((await workload.list(nodes)).items).toHaveLength(2);
  });

  it('does not treat infrastructure with a missing CRD as deleted [14.3]', async () => {
    await createWorker();
    const definition = { namespace: '', name: 'testmachines.infrastructure.cluster.x-k8s.io' };
    await environment.client.delete(customResourceDefinitions, definition);
    await environment.plane.untilGone(customResourceDefinitions, definition);
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) => deleting(object).includes('is not installed'));
    expect(deleting(held)).toContain('install the provider that includes it');
    await environment.plane.clock.advance(600_000);
    expect((await environment.machine('w')).metadata.finalizers).toContain('machine.cluster.x-k8s.io');
  });

  it('waits for a slow infrastructure deletion, and never drains again meanwhile', async () => {
    await createWorker();
    await environment.patch(testMachines, 'w', { metadata: { finalizers: ['example.com/busy'] } });
    await environment.client.delete(machines, worker);
    const held = await environment.machine('w', (object) =>
      deleting(object).includes('WaitingForInfrastructureDeletion'),
    );
    expect(deleting(held)).toBe('True WaitingForInfrastructureDeletion: Waiting for TestMachine to be deleted');
    await createPod('later');
    await environment.plane.clock.advance(60_000);
    expect(await podNames()).toEqual(['later']);
    await environment.patch(testMachines, 'w', { metadata: { finalizers: null } });
    await environment.plane.untilGone(machines, worker);
  });

  it('ends when the infrastructure is already deleted', async () => {
    await createWorker();
    await environment.client.delete(testMachines, worker);
    await environment.machine('w', (object) => conditionText(object, 'InfrastructureReady').includes('ObjectDeleted'));
    await environment.client.delete(machines, worker);
    await environment.plane.untilGone(machines, worker);
    expect((await environment.client.list(testConfigs)).items).toHaveLength(1);
  });

  it('ends while the machine is still being created', async () => {
    await environment.createMachine('w');
    await environment.machine('w', (object) => object.metadata.finalizers !== undefined);
    await environment.client.delete(machines, worker);
    await environment.plane.untilGone(machines, worker);
    expect((await environment.client.list(testMachines)).items).toHaveLength(1);
  });
});
