import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '@slipway/base';
import { createCa, certificateToPem, generatePrivateKey, privateKeyToPem } from '@slipway/pki';
import { type Conditioned, customResourceDefinitions, getCondition, type Resource, secrets } from '@slipway/runtime';
import { clusters, labels, type MachineDeployment, machineDeployments, machines } from '../src/index.js';
import {
  cluster,
  ClusterEnvironment,
  clusterKey,
  conditionText,
  keyOfName,
  machine,
} from './support/cluster-environment.js';
import { oldClusters, testClusters } from './support/more-provider-kinds.js';
import { providerObject, referenceTo, testControlPlanes, testMachines } from './support/provider-kinds.js';

let environment: ClusterEnvironment;
beforeEach(async () => {
  environment = await ClusterEnvironment.start();
});
afterEach(() => environment.plane.stop());

const theClusters = clusters;
const wellKnown = '2026-01-01T00:00:00Z';

describe('providers of a cluster', () => {
  it('are reconciled as soon as they are created, before they have an owner reference', async () => {
    await environment.client.create(clusters, cluster());
    const lonely = await environment.cluster((object) => conditionText(object, 'InfrastructureReady') !== '');
    expect(conditionText(lonely, 'InfrastructureReady')).toBe('False ObjectDoesNotExist: TestCluster does not exist');
    expect(conditionText(lonely, 'ControlPlaneInitialized')).toBe(
      'Unknown ObjectDoesNotExist: TestControlPlane does not exist',
    );
    const startedAt = environment.plane.clock.now();
    await environment.client.create(testClusters, providerObject(testClusters, 'c', {}));
    await environment.cluster((object) => conditionText(object, 'InfrastructureReady').includes('NotReady'));
    expect(environment.plane.clock.now() - startedAt).toBeLessThan(1_000);
  });

  it('are owned, but controlled only when the Cluster has a topology [14.2]', async () => {
    await environment.createAll();
    await environment.cluster((object) => conditionText(object, 'Available') !== '');
    const owned = await environment.client.get(testClusters, clusterKey);
    const { uid } = (await environment.cluster()).metadata;
    expect(owned.metadata.ownerReferences).toEqual([
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c', uid },
    ]);
    expect(owned.metadata.labels).toEqual({ [labels.clusterName]: 'c' });
  });

  it('are controlled by a Cluster that has a topology [14.2]', async () => {
    const topology = { classRef: { name: 'class' }, version: 'v1.35.0' };
    await environment.client.create(
      clusters,
      cluster((made) => void (made.spec.topology = topology)),
    );
    await environment.client.create(testClusters, providerObject(testClusters, 'c', {}));
    const [owner] =
      (
        await environment.plane.until(
          testClusters,
          clusterKey,
          ({ metadata }) => metadata.ownerReferences !== undefined,
        )
      ).metadata.ownerReferences ?? [];
    expect(owner).toMatchObject({ kind: 'Cluster', name: 'c', controller: true, blockOwnerDeletion: true });
  });

  it('set provisioned, initialized and the endpoint permanently [14.1, 14.5]', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    await environment.patchStatus(testClusters, 'c', { initialization: { provisioned: false } });
    await environment.patchStatus(testControlPlanes, 'c', { initialization: { controlPlaneInitialized: false } });
    await environment.patch(testClusters, 'c', { spec: { controlPlaneEndpoint: { host: 'elsewhere' } } });
    await environment.plane.settle();
    const after = await environment.cluster();
    expect(after.status?.initialization).toEqual({ infrastructureProvisioned: true, controlPlaneInitialized: true });
    expect(after.spec.controlPlaneEndpoint).toEqual({ host: '10.0.0.1', port: 6443 });
    expect(conditionText(after, 'ControlPlaneInitialized')).toBe('True Initialized: ');
  });

  it('are read by the contract in the labels of their CRD [14.4]', async () => {
    const infrastructureRef = referenceTo(providerObject(oldClusters, 'c', {}));
    await environment.client.create(
      clusters,
      cluster((made) => void (made.spec = { infrastructureRef })),
    );
    const spec = { controlPlaneEndpoint: { host: 'h', port: 1 } };
    await environment.client.create(oldClusters, providerObject(oldClusters, 'c', spec));
    await environment.patchStatus(oldClusters, 'c', {
      ready: true,
      failureDomains: { b: { controlPlane: true }, a: { attributes: { zone: 'a' } } },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: wellKnown }],
    });
    const up = await environment.cluster((object) => object.status?.phase === 'Provisioned');
    expect(up.status?.failureDomains).toEqual([
      { name: 'a', controlPlane: false, attributes: { zone: 'a' } },
      { name: 'b', controlPlane: true },
    ]);
    expect(conditionText(up, 'InfrastructureReady')).toBe('True Ready: ');
    expect(getCondition(up as Conditioned, 'InfrastructureReady')?.lastTransitionTime).toBe(wellKnown);
  });

  it('are not treated as deleted when their CRD is missing: the deletion waits, and reports the remedy [14.3]', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    const name = 'testclusters.infrastructure.cluster.x-k8s.io';
    const definition = await environment.client.get(customResourceDefinitions, { namespace: '', name });
    await environment.patch(testClusters, 'c', { metadata: { finalizers: ['example.com/busy'] } });
    await environment.client.patch(
      customResourceDefinitions,
      { namespace: '', name },
      { type: 'merge', patch: { metadata: { labels: { 'cluster.x-k8s.io/v1beta2': null } } } },
    );
    await environment.client.delete(machines, keyOfName('cp'));
    await environment.client.delete(clusters, clusterKey);
    const held = await environment.cluster((object) => conditionText(object, 'Deleting').includes('InternalError'));
    expect(conditionText(held, 'Deleting')).toContain(
      `${name} has no label cluster.x-k8s.io/<contract>; install a version of the provider that implements`,
    );
    const again = { metadata: { labels: { ...definition.metadata.labels } } };
    await environment.client.patch(customResourceDefinitions, { namespace: '', name }, { type: 'merge', patch: again });
    await environment.cluster((object) =>
      conditionText(object, 'Deleting').includes('WaitingForInfrastructureDeletion'),
    );
    await environment.patch(testClusters, 'c', { metadata: { finalizers: null } });
    await environment.plane.untilGone(theClusters, clusterKey);
  });

  it('are reported when they are deleted after provisioning', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    await environment.client.delete(testClusters, clusterKey);
    const alarmed = await environment.cluster((object) =>
      conditionText(object, 'InfrastructureReady').startsWith('False'),
    );
    expect(conditionText(alarmed, 'InfrastructureReady')).toBe(
      'False ObjectDeleted: TestCluster has been deleted while the cluster still exists',
    );
    expect(conditionText(alarmed, 'Available')).toContain(
      '* InfrastructureReady: TestCluster has been deleted while the cluster still exists',
    );
  });

  it('report other phases after a failed one, without updating observedGeneration [14.7, 14.8]', async () => {
    const infrastructureRef = { ...referenceTo(providerObject(testClusters, 'c', {})), kind: 'NoSuchCluster' };
    await environment.client.create(
      clusters,
      cluster((made) => void (made.spec.infrastructureRef = infrastructureRef)),
    );
    await environment.client.create(testControlPlanes, providerObject(testControlPlanes, 'c', { replicas: 3 }));
    const reported = await environment.cluster((object) => object.status?.controlPlane?.desiredReplicas === 3);
    expect(conditionText(reported, 'InfrastructureReady')).toBe(
      'Unknown InternalError: the kind NoSuchCluster of infrastructure.cluster.x-k8s.io is not installed (no CustomResourceDefinition nosuchclusters.infrastructure.cluster.x-k8s.io); install the provider that includes it, or correct the reference',
    );
    expect(reported.status?.observedGeneration).toBeUndefined();
    expect(getCondition(reported as Conditioned, 'InfrastructureReady')?.observedGeneration).toBe(
      reported.metadata.generation,
    );
  });
});

describe('a cluster', () => {
  it('does nothing else in the reconcile that adds its finalizer or changes Paused, nor while it is paused [14.6]', async () => {
    await environment.client.create(
      clusters,
      cluster((made) => void (made.spec.paused = true)),
    );
    await environment.client.create(testClusters, providerObject(testClusters, 'c', {}));
    const paused = await environment.cluster((object) => conditionText(object, 'Paused') !== '');
    expect(conditionText(paused, 'Paused')).toBe('True Paused: Cluster spec.paused is set to true');
    await environment.plane.settle();
    expect((await environment.client.get(testClusters, clusterKey)).metadata.ownerReferences).toBeUndefined();
    await environment.patch(theClusters, 'c', { spec: { paused: null } });
    const resumption = await environment.cluster((object) => conditionText(object, 'InfrastructureReady') !== '');
    expect(conditionText(resumption, 'Paused')).toBe('False NotPaused: ');
  });

  it('without a control plane object creates its own kubeconfig, and is initialized by the first Node', async () => {
    const infrastructureRef = referenceTo(providerObject(testClusters, 'c', {}));
    await environment.client.create(
      clusters,
      cluster((made) => void (made.spec = { infrastructureRef })),
    );
    const endpoint = { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } };
    await environment.client.create(testClusters, providerObject(testClusters, 'c', endpoint));
    await environment.patchStatus(testClusters, 'c', { initialization: { provisioned: true } });
    const waiting = await environment.cluster((object) => object.status?.phase === 'Provisioned');
    expect(conditionText(waiting, 'ControlPlaneInitialized')).toBe(
      'False NotInitialized: Waiting for the first control plane machine to have status.nodeRef set',
    );
    expect(await environment.eventsOf('c')).toContain(
      'CAMissing: Secret c-ca does not exist; create it with the CA of the cluster',
    );
    const { clock } = environment.plane;
    const authority = await createCa(
      { clock, random: seededRandom(1) },
      { commonName: 'kubernetes', key: await generatePrivateKey('ECDSA') },
    );
    const data = { 'tls.crt': certificateToPem(authority.certificate), 'tls.key': privateKeyToPem(authority.key) };
    await environment.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'c-ca', namespace: 'default' },
      stringData: data,
    });
    await clock.advance(30_000);
    const made = await environment.plane.until(secrets, keyOfName('c-kubeconfig'), () => true);
    expect(made).toMatchObject({
      type: 'cluster.x-k8s.io/secret',
      metadata: { labels: { [labels.clusterName]: 'c' }, ownerReferences: [{ kind: 'Cluster', name: 'c' }] },
    });
    const text = Buffer.from(made.data?.['value'] ?? '', 'base64').toString();
    expect(text).toContain('server: https://10.0.0.1:6443');
    expect(text).toContain('current-context: c-admin@c');
    await environment.createMachine('cp', { [labels.controlPlane]: '' });
    await environment.patchStatus(machines, 'cp', { nodeRef: { name: 'cp' } });
    const started = await environment.cluster((object) =>
      conditionText(object, 'ControlPlaneInitialized').startsWith('T'),
    );
    expect(started.status?.initialization?.controlPlaneInitialized).toBe(true);
    expect(started.status?.controlPlane).toMatchObject({ desiredReplicas: 1, replicas: 1 });
  });

  it('reports a lost connection after 50 seconds; Node conditions are kept for 5 minutes, and never become False [14.41]', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    expect(conditionText(await environment.cluster(), 'RemoteConnectionProbe')).toBe('True ProbeSucceeded: ');
    const { clock } = environment.plane;
    environment.plane.setReachable(clusterKey, false);
    await clock.advance(40_000);
    expect(conditionText(await environment.cluster(), 'RemoteConnectionProbe')).toBe('True ProbeSucceeded: ');
    await clock.advance(60_000);
    const lost = await environment.cluster((object) =>
      conditionText(object, 'RemoteConnectionProbe').startsWith('False'),
    );
    expect(conditionText(lost, 'RemoteConnectionProbe')).toMatch(
      /^False ProbeFailed: Remote connection probe failed, probe last succeeded at 2026-/,
    );
    expect(conditionText(await environment.machine('cp'), 'NodeHealthy')).toBe('True NodeHealthy: ');
    await clock.advance(240_000);
    const unknown = await environment.machine('cp', (object) =>
      conditionText(object, 'NodeHealthy').startsWith('Unknown'),
    );
    expect(conditionText(unknown, 'NodeHealthy')).toMatch(/^Unknown ConnectionDown: Last successful probe at 2026-/);
    expect(conditionText(unknown, 'NodeReady')).toMatch(/^Unknown ConnectionDown: /);
    environment.plane.setReachable(clusterKey, true);
    await clock.advance(200_000);
    await environment.machine('cp', (object) => conditionText(object, 'NodeHealthy').startsWith('True'));
    await environment.cluster((object) => conditionText(object, 'Available').startsWith('True'));
  });

  it('deletes workers, then the control plane, then the infrastructure, and reports what it waits for', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    const selector = { matchLabels: {} };
    const deployment: MachineDeployment = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: 'md', namespace: 'default', finalizers: ['example.com/busy'] },
      spec: { clusterName: 'c', replicas: 0, selector, template: { spec: machine('x').spec } },
    };
    const { uid = '' } = (await environment.cluster()).metadata;
    deployment.metadata.ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c', uid }];
    deployment.metadata.labels = { [labels.clusterName]: 'c' };
    await environment.client.create(machineDeployments, deployment);
    await environment.createMachine('alone');
    await environment.machine('alone', (object) => object.metadata.ownerReferences !== undefined);
    for (const [resource, name] of [
      [testControlPlanes, 'c'],
      [testClusters, 'c'],
      [testMachines, 'alone'],
    ] as const)
      await environment.patch(resource, name, { metadata: { finalizers: ['example.com/busy'] } });
    const free = (resource: Resource, name: string): Promise<unknown> =>
      environment.patch(resource, name, { metadata: { finalizers: null } });
    const deletingText = async (part: string): Promise<string> =>
      conditionText(
        await environment.cluster((object) => conditionText(object, 'Deleting').includes(part)),
        'Deleting',
      );

    await environment.client.delete(clusters, clusterKey);
    expect(await deletingText('Workers')).toBe(
      'True WaitingForWorkersDeletion: * MachineDeployments: md\n* Worker Machines: alone',
    );
    await free(machineDeployments, 'md');
    expect(await deletingText('Deletion: * Worker')).toBe('True WaitingForWorkersDeletion: * Worker Machines: alone');
    await free(testMachines, 'alone');
    expect(await deletingText('ControlPlane')).toBe(
      'True WaitingForControlPlaneDeletion: Waiting for TestControlPlane to be deleted',
    );
    await free(testControlPlanes, 'c');
    expect(await deletingText('Infrastructure')).toBe(
      'True WaitingForInfrastructureDeletion: Waiting for TestCluster to be deleted',
    );
    expect(conditionText(await environment.cluster(), 'ControlPlaneAvailable')).toBe(
      'False ObjectDeleted: TestControlPlane has been deleted',
    );
    await free(testClusters, 'c');
    await environment.plane.untilGone(theClusters, clusterKey);
    expect(await environment.eventsOf('c')).toEqual(
      expect.arrayContaining([
        'Provisioning: Cluster c is Provisioning',
        'Provisioned: Cluster c is Provisioned',
        'InfrastructureReady: Cluster c InfrastructureProvisioned is now True',
        'ControlPlaneInitialized: Cluster c ControlPlaneInitialized is now True',
        'Deleting: Cluster c is Deleting',
        'Deleted: Cluster c has been deleted',
      ]),
    );
  });
});
