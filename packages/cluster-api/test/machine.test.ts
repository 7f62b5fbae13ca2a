import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodes, ownerReference } from '@slipway/runtime';
import { formatLabelValue, labels, machineDeployments, machines, machineSets } from '../src/index.js';
import { ClusterEnvironment, conditionText, keyOfName, machine, node } from './support/cluster-environment.js';
import { oldMachines, strangeMachines } from './support/more-provider-kinds.js';
import { providerObject, referenceTo, testConfigs, testMachines } from './support/provider-kinds.js';

let environment: ClusterEnvironment;
beforeEach(async () => {
  environment = await ClusterEnvironment.start();
});
afterEach(() => environment.plane.stop());

describe('a machine', () => {
  it('reports a kind without a supported contract', async () => {
    await environment.createAll();
    const infrastructureRef = referenceTo(providerObject(strangeMachines, 'odd', {}));
    await environment.client.create(strangeMachines, providerObject(strangeMachines, 'odd', {}));
    await environment.client.create(testConfigs, providerObject(testConfigs, 'odd', {}));
    await environment.client.create(
      machines,
      machine('odd', {}, ({ spec }) => void (spec.infrastructureRef = infrastructureRef)),
    );
    const reported = await environment.machine('odd', (object) => conditionText(object, 'InfrastructureReady') !== '');
    expect(conditionText(reported, 'InfrastructureReady')).toMatch(
      /^Unknown InternalError: the CustomResourceDefinition strangemachines.* has no label cluster.x-k8s.io\/<contract>; install/,
    );
    expect(conditionText(reported, 'BootstrapConfigReady')).toBe(
      'False NotReady: TestConfig status.initialization.dataSecretCreated is false',
    );
  });

  it('is read by the v1beta1 contract if its kind has no other [14.4]', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    const infrastructureRef = referenceTo(providerObject(oldMachines, 'old', {}));
    const object = providerObject(oldMachines, 'old', { providerID: 'test://old', failureDomain: 'zone-a' });
    await environment.client.create(oldMachines, object);
    await environment.client.create(
      machines,
      machine('old', {}, ({ spec }) => {
        spec.infrastructureRef = infrastructureRef;
        spec.bootstrap = { dataSecretName: 'given' };
      }),
    );
    const addresses = [{ type: 'InternalIP', address: '10.1.1.1' }];
    await environment.patchStatus(oldMachines, 'old', { ready: true, addresses, interruptible: true });
    const up = await environment.machine(
      'old',
      ({ status }) => status?.initialization?.infrastructureProvisioned === true,
    );
    expect(up.spec).toMatchObject({ providerID: 'test://old', failureDomain: 'zone-a' });
    expect(up.status).toMatchObject({ addresses, initialization: { bootstrapDataSecretCreated: true } });
    expect(conditionText(up, 'BootstrapConfigReady')).toBe('True DataSecretProvided: ');
    expect(conditionText(up, 'NodeHealthy')).toBe(
      'Unknown InspectionFailed: Waiting for a Node with spec.providerID test://old to exist',
    );
  });

  it('stays provisioned if its provider reports otherwise later, and reports deleted infrastructure [14.1]', async () => {
    await environment.createAll();
    await environment.bringUpCluster();
    await environment.patchStatus(testMachines, 'cp', { initialization: { provisioned: false } });
    await environment.plane.settle();
    expect((await environment.machine('cp')).status?.initialization).toEqual({
      infrastructureProvisioned: true,
      bootstrapDataSecretCreated: true,
    });
    await environment.client.delete(testMachines, keyOfName('cp'));
    const alarmed = await environment.machine('cp', (object) =>
      conditionText(object, 'InfrastructureReady').includes('ObjectDeleted'),
    );
    expect(conditionText(alarmed, 'InfrastructureReady')).toBe(
      'False ObjectDeleted: TestMachine has been deleted while the Machine still exists',
    );
    expect(alarmed.status?.deprecated?.v1beta1?.failureReason).toBe('InvalidConfiguration');
    expect(alarmed.status?.phase).toBe('Running');
  });

  it('observes a MachineDeployment whose name is too long for a label [14.52]', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    const name = 'd'.repeat(70);
    const template = { metadata: { labels: { app: 'a' } }, spec: machine('w').spec };
    const shared = { clusterName: 'c', replicas: 1, selector: { matchLabels: { app: 'a' } }, template };
    const apiVersion = 'cluster.x-k8s.io/v1beta2';
    const own = { namespace: 'default', labels: { [labels.deploymentName]: formatLabelValue(name) } };
    const deployment = await environment.client.create(machineDeployments, {
      apiVersion,
      kind: 'MachineDeployment',
      metadata: { name, namespace: 'default' },
      spec: shared,
    });
    const set = await environment.client.create(machineSets, {
      apiVersion,
      kind: 'MachineSet',
      metadata: { ...own, name: 's', ownerReferences: [ownerReference(deployment, { controller: true })] },
      spec: shared,
    });
    await environment.createMachine('w', own.labels, ({ metadata }) => {
      metadata.ownerReferences = [ownerReference(set, { controller: true })];
    });
    await environment.bringUpMachine('w', workload);
    await environment.machine('w', (object) => conditionText(object, 'UpToDate') === 'True UpToDate: ');
    await environment.patch(machineDeployments, name, { spec: { template: { spec: { version: 'v1.36.0' } } } });
    const reported = await environment.machine('w', (object) => conditionText(object, 'UpToDate').startsWith('False'));
    expect(conditionText(reported, 'UpToDate')).toBe('False NotUpToDate: * Version v1.35.0, v1.36.0 required');
  });

  it('adopts its objects from their creator', async () => {
    await environment.createAll();
    await environment.machine('cp', (object) => conditionText(object, 'Ready') !== '');
    const { uid } = (await environment.machine('cp')).metadata;
    for (const resource of [testMachines, testConfigs])
      expect((await environment.client.get(resource, keyOfName('cp'))).metadata).toMatchObject({
        labels: { [labels.clusterName]: 'c' },
        ownerReferences: [{ kind: 'Machine', name: 'cp', uid, controller: true, blockOwnerDeletion: true }],
      });
    expect((await environment.machine('cp')).metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'c' }]);
  });

  it('without a cluster reports it, and can be deleted', async () => {
    await environment.createMachine('w');
    const reported = await environment.machine('w', (object) => conditionText(object, 'Ready') !== '');
    expect(conditionText(reported, 'Ready')).toBe(
      'False ObjectDoesNotExist: Cluster c does not exist; create it, or delete the Machine',
    );
    await environment.client.delete(machines, keyOfName('w'));
    await environment.plane.untilGone(machines, keyOfName('w'));
  });
});

describe('the Node of a machine', () => {
  it('gets the labels and annotations of its machine, and loses the uninitialized taint', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    await environment.patch(machines, 'cp', { metadata: { labels: { 'node.cluster.x-k8s.io/zone': 'a' } } });
    const key = { namespace: '', name: 'cp' };
    const labelled = await environment.plane.until(machines, keyOfName('cp'), () => true);
    expect(labelled.metadata.labels).toHaveProperty(['node.cluster.x-k8s.io/zone']);
    await environment.plane.settle();
    const first = await workload.get(nodes, key);
    expect(first.metadata.labels).toEqual({ 'node.cluster.x-k8s.io/zone': 'a' });
    expect(first.metadata.annotations).toMatchObject({
      'cluster.x-k8s.io/cluster-name': 'c',
      'cluster.x-k8s.io/machine': 'cp',
      'cluster.x-k8s.io/labels-from-machine': 'node.cluster.x-k8s.io/zone',
    });
    const taints = (first.spec?.taints ?? []).map(({ key: name }) => name);
    expect(taints, 'that of others stays').toEqual(['node.kubernetes.io/not-ready']);
    await environment.patch(machines, 'cp', { metadata: { labels: { 'node.cluster.x-k8s.io/zone': null } } });
    await environment.plane.settle();
    expect((await workload.get(nodes, key)).metadata.labels ?? {}).toEqual({});
  });

  it('enqueues its machine when it changes, except for heartbeats', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    const key = { namespace: '', name: 'cp' };
    const { conditions = [] } = (await workload.get(nodes, key)).status ?? {};
    const withReady = (more: object): object => ({
      status: { conditions: conditions.map((each) => (each.type === 'Ready' ? { ...each, ...more } : each)) },
    });
    const put = (patch: object): Promise<unknown> =>
      workload.patch(nodes, key, { type: 'merge', patch: patch as never }, { subresource: 'status' });
    const before = (await environment.machine('cp')).metadata.resourceVersion;
    await put(withReady({ lastHeartbeatTime: '2026-01-01T00:10:00Z' }));
    await environment.plane.settle();
    expect((await environment.machine('cp')).metadata.resourceVersion).toBe(before);
    await put(withReady({ status: 'False', message: 'no network' }));
    const sick = await environment.machine('cp', (object) => conditionText(object, 'NodeReady').startsWith('False'));
    expect(conditionText(sick, 'Ready')).toBe('False NotReady: * NodeHealthy:\n  * Node.Ready: no network');
    await workload.delete(nodes, key);
    const gone = await environment.machine('cp', (object) =>
      conditionText(object, 'NodeReady').includes('NodeDeleted'),
    );
    expect(conditionText(gone, 'NodeReady')).toBe(
      'False NodeDeleted: Node cp has been deleted while the Machine still exists',
    );
  });

  it('must be unique for its provider ID', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    const twin = node('cp');
    twin.metadata.name = 'twin';
    await workload.create(nodes, twin);
    const reported = await environment.machine('cp', (object) =>
      conditionText(object, 'NodeReady').startsWith('Unknown'),
    );
    expect(conditionText(reported, 'NodeReady')).toBe(
      'Unknown InternalError: unexpectedly found more than one Node matching the providerID test://cp: cp, twin; delete the Nodes that do not belong to a Machine',
    );
    await workload.delete(nodes, { namespace: '', name: 'twin' });
    await environment.machine('cp', (object) => conditionText(object, 'NodeReady').startsWith('True'));
  });

  it('is not deleted if it belongs to another machine by now', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    await environment.createMachine('w');
    await environment.bringUpMachine('w', workload);
    const key = { namespace: '', name: 'w' };
    await workload.delete(nodes, key);
    const later = node('w');
    later.spec = { providerID: 'test://later' };
    await workload.create(nodes, later);
    await environment.client.delete(machines, keyOfName('w'));
    await environment.plane.untilGone(machines, keyOfName('w'));
    expect((await workload.get(nodes, key)).spec?.providerID).toBe('test://later');
  });
});

describe('certificates of a control plane machine', () => {
  it('expire as annotated on the machine, or else on its bootstrap object', async () => {
    await environment.createAll();
    const name = 'machine.cluster.x-k8s.io/certificates-expiry';
    const expiring = (text: string | null): object => ({ metadata: { annotations: { [name]: text } } });
    const until = (time: string | undefined) =>
      environment.machine('cp', (object) => object.status?.certificatesExpiryDate === time);
    await environment.patch(testConfigs, 'cp', expiring('2027-01-01T00:00:00Z'));
    await until('2027-01-01T00:00:00Z');
    await environment.patch(machines, 'cp', expiring('2028-01-01T01:00:00+01:00'));
    await until('2028-01-01T00:00:00Z');
    await environment.patch(machines, 'cp', expiring('soon'));
    await environment.plane.settle();
    expect(await environment.eventsOf('cp')).toContainEqual(
      expect.stringContaining('is not a valid time; set it to a time such as 2026-01-02T15:04:05Z'),
    );
    await environment.patch(machines, 'cp', expiring(null));
    await until('2027-01-01T00:00:00Z');
  });
});
