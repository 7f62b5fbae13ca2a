import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, getCondition, type Node, nodes } from '@slipway/runtime';
import { clusters, labels, type MachinePool, machinePools, machines, nameOf } from '../src/index.js';
import { keyOfName, MachineEnvironment, namespace } from './support/machine-environment.js';
import { providerObject, referenceTo, testConfigs, testMachinePools, testMachines } from './support/provider-kinds.js';

let environment: MachineEnvironment;
let workload: Client;
const pools = machinePools;

function machinePool(replicas: number, change: (pool: MachinePool) => void = () => undefined): MachinePool {
  const pool: MachinePool = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name: 'mp', namespace },
    spec: {
      clusterName: 'c',
      replicas,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          clusterName: 'c',
          version: 'v1.35.0',
          bootstrap: { configRef: referenceTo(providerObject(testConfigs, 'boot', {})) },
          infrastructureRef: referenceTo(providerObject(testMachinePools, 'infra', {})),
        },
      },
    },
  };
  change(pool);
  return pool;
}

const getPool = () => environment.plane.client.get(machinePools, keyOfName('mp'));
const messageOf = async (type: string): Promise<string | undefined> => {
  const condition = getCondition(await getPool(), type);
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
};

async function addNode(id: string): Promise<void> {
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${id}` },
    spec: {
      providerID: `test://${id}`,
      taints: [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }],
    },
  };
  await workload.create(nodes, node);
  const status = { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.35.0' } };
  const body = { type: 'merge', patch: { status } as never } as const;
  await workload.patch(nodes, { namespace: '', name: `node-${id}` }, body, { subresource: 'status' });
}

/** Sets the machines that the provider reports, all running. */
async function provide(ids: readonly string[], status: object = {}): Promise<void> {
  await environment.patch(testMachinePools, 'infra', { spec: { providerIDList: ids.map((id) => `test://${id}`) } });
  await environment.patchStatus(testMachinePools, 'infra', { ready: true, replicas: ids.length, ...status });
}

beforeEach(async () => {
  environment = await MachineEnvironment.start();
  workload = await environment.plane.addWorkload(keyOfName('c'));
  await environment.patchStatus(clusters, 'c', {
    initialization: { controlPlaneInitialized: true, infrastructureProvisioned: true },
  });
  const { client } = environment.plane;
  await client.create(testConfigs, providerObject(testConfigs, 'boot', {}));
  await environment.patchStatus(testConfigs, 'boot', {
    initialization: { dataSecretCreated: true },
    dataSecretName: 'data',
  });
});
afterEach(() => environment.plane.stop());

describe('a pool whose infrastructure exists', () => {
  beforeEach(async () => {
    await environment.plane.client.create(testMachinePools, providerObject(testMachinePools, 'infra', {}));
  });

  it('becomes ready: bootstrap data, infrastructure, Nodes', async () => {
    await environment.plane.client.create(machinePools, machinePool(2));
    await environment.plane.settle();
    expect(await messageOf('InfrastructureReady')).toBe('False NotReady: TestMachinePool status.ready is false');
    let pool = await getPool();
    expect(pool.spec.template.spec.bootstrap.dataSecretName).toBe('data');
    expect(pool.status).toMatchObject({ phase: 'Provisioning', initialization: { bootstrapDataSecretCreated: true } });
    await provide(['a', 'b']);
    await addNode('a');
    await environment.plane.settle();
    pool = await getPool();
    expect(pool.status).toMatchObject({ phase: 'ScalingUp', nodeRefs: [{ name: 'node-a' }], replicas: 2 });
    await addNode('b');
    await environment.plane.settle();
    pool = await getPool();
    expect(pool.spec.providerIDList).toEqual(['test://a', 'test://b']);
    expect(pool.status).toMatchObject({
      phase: 'Running',
      nodeRefs: [{ name: 'node-a' }, { name: 'node-b' }],
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      upToDateReplicas: 2,
      versions: [{ version: 'v1.35.0', replicas: 2 }],
      deprecated: { v1beta1: { readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 0 } },
    });
    expect(await messageOf('Available')).toBe('True Available: ');
    const node = await workload.get(nodes, { namespace: '', name: 'node-a' });
    expect(node.metadata.annotations).toMatchObject({
      'cluster.x-k8s.io/owner-kind': 'MachinePool',
      'cluster.x-k8s.io/owner-name': 'mp',
    });
    expect(node.spec?.taints?.map(({ key }) => key) ?? []).not.toContain('node.cluster.x-k8s.io/uninitialized');
    const infrastructure = await environment.plane.client.get(testMachinePools, keyOfName('infra'));
    expect(infrastructure.metadata).toMatchObject({
      ownerReferences: [{ kind: 'MachinePool', name: 'mp', controller: true }],
      labels: { [labels.clusterName]: 'c' },
    });
  });

  it('updates infrastructureProvisioned from the infra object, and reads status.ready of MachinePools [14.1, 14.24]', async () => {
    await environment.plane.client.create(machinePools, machinePool(1));
    await provide(['a']);
    await environment.plane.settle();
    expect((await getPool()).status?.initialization?.infrastructureProvisioned).toBe(true);
    await environment.patchStatus(testMachinePools, 'infra', { ready: false, initialization: { provisioned: true } });
    await environment.plane.settle();
    expect((await getPool()).status?.initialization?.infrastructureProvisioned).toBe(false);
  });

  it('deletes the Nodes of removed provider IDs', async () => {
    await environment.plane.client.create(machinePools, machinePool(2));
    await provide(['a', 'b']);
    await addNode('a');
    await addNode('b');
    await addNode('foreign');
    await environment.plane.settle();
    await environment.scale(pools, 'mp', 1);
    await provide(['b']);
    await environment.plane.settle();
    const { items } = await workload.list(nodes);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-b', 'node-foreign']);
    expect((await getPool()).status).toMatchObject({ phase: 'Running', nodeRefs: [{ name: 'node-b' }] });
  });

  it('creates a Machine for each infrastructure machine that is not deleting', async () => {
    const own = async (name: string): Promise<void> => {
      const object = providerObject(testMachines, name, { providerID: `test://${name}` });
      object.metadata.labels = { [labels.clusterName]: 'c', [labels.poolName]: 'mp' };
      object.metadata.finalizers = ['test.dev/hold'];
      await environment.plane.client.create(testMachines, object);
    };
    await own('a');
    await own('gone');
    await environment.plane.client.delete(testMachines, keyOfName('gone'));
    await environment.plane.client.create(machinePools, machinePool(1));
    await addNode('a');
    await provide(['a'], { infrastructureMachineKind: 'TestMachine' });
    await environment.plane.settle();
    const [machine, ...others] = await environment.machines();
    expect(others).toEqual([]);
    expect(machine).toMatchObject({
      metadata: {
        name: 'a',
        labels: { team: 'a', [labels.poolName]: 'mp', [labels.clusterName]: 'c' },
        ownerReferences: [{ kind: 'MachinePool', name: 'mp', controller: true }],
      },
      spec: {
        version: 'v1.35.0',
        bootstrap: { dataSecretName: '' },
        infrastructureRef: { kind: 'TestMachine', name: 'a' },
      },
    });
    expect((await getPool()).status).toMatchObject({ readyReplicas: 0, upToDateReplicas: 1 });
    await environment.actor.act();
    expect((await getPool()).status).toMatchObject({ readyReplicas: 1, availableReplicas: 1, upToDateReplicas: 1 });
    await own('b');
    await environment.plane.settle();
    expect((await environment.machines()).map(nameOf)).toEqual(['a', 'b']);
    await environment.patch(pools, 'mp', { spec: { template: { metadata: { labels: { team: null } } } } });
    await environment.plane.settle();
    const changed = await environment.plane.client.get(machines, keyOfName('a'));
    expect(changed.metadata.labels).not.toHaveProperty('team');
  });

  it('keeps its status after a lost connection', async () => {
    await environment.plane.client.create(machinePools, machinePool(1));
    await provide(['a']);
    await addNode('a');
    await environment.plane.settle();
    environment.plane.setReachable(keyOfName('c'), false);
    await environment.plane.clock.advance(11 * 60_000);
    expect((await getPool()).status).toMatchObject({
      phase: 'Running',
      nodeRefs: [{ name: 'node-a' }],
      versions: [{ version: 'v1.35.0', replicas: 1 }],
    });
  });

  describe('deletion', () => {
    beforeEach(async () => {
      await environment.plane.client.create(machinePools, machinePool(1));
      await provide(['a']);
      await addNode('a');
      await environment.patch(testMachinePools, 'infra', { metadata: { finalizers: ['test.dev/hold'] } });
      await environment.plane.settle();
    });
    const letGo = (): Promise<unknown> =>
      environment.patch(testMachinePools, 'infra', { metadata: { finalizers: null } });

    it('waits for the provider objects, reports it, then deletes the Nodes', async () => {
      await environment.plane.client.delete(machinePools, keyOfName('mp'));
      await environment.plane.settle();
      expect(await messageOf('Deleting')).toBe('True Deleting: Waiting for TestMachinePool infra to be deleted');
      expect((await getPool()).status?.phase).toBe('Deleting');
      expect((await workload.list(nodes)).items).toHaveLength(1);
      await letGo();
      await environment.plane.untilGone(pools, keyOfName('mp'));
      expect((await workload.list(nodes)).items).toHaveLength(0);
    });

    it('does not wait for its Nodes if the cluster was deleted before', async () => {
      await environment.plane.client.delete(clusters, keyOfName('c'));
      await environment.plane.settle();
      await letGo();
      await environment.plane.untilGone(pools, keyOfName('mp'));
      expect(await environment.eventsOf('mp')).toContainEqual(
        expect.stringMatching(/^NodeDeletionSkipped: the Cluster/),
      );
    });

    it('skips Nodes once nodeDeletionTimeoutSeconds has passed [14.10]', async () => {
      environment.plane.setReachable(keyOfName('c'), false);
      await environment.plane.clock.advance(120_000);
      await environment.plane.client.delete(machinePools, keyOfName('mp'));
      await letGo();
      await environment.plane.settle();
      expect(await messageOf('Deleting')).toMatch(/^True Deleting: Waiting for the Nodes of the pool to be deleted: /);
      await environment.plane.clock.advance(11_000);
      await environment.plane.untilGone(pools, keyOfName('mp'));
    });
  });
});

it('reports a missing infrastructure object until it exists', async () => {
  await environment.plane.client.create(machinePools, machinePool(1));
  await environment.plane.settle();
  expect(await messageOf('InfrastructureReady')).toBe('False ObjectDoesNotExist: TestMachinePool does not exist');
  expect((await getPool()).status?.observedGeneration).toBeUndefined();
  await environment.plane.client.create(testMachinePools, providerObject(testMachinePools, 'infra', {}));
  await provide(['a']);
  await addNode('a');
  await environment.plane.settle();
  expect((await getPool()).status).toMatchObject({ phase: 'Running' });
});

it('does nothing while its Cluster is paused', async () => {
  await environment.patch(clusters, 'c', { spec: { paused: true } });
  await environment.plane.client.create(machinePools, machinePool(1));
  await environment.plane.settle();
  expect(await messageOf('Paused')).toBe('True Paused: Cluster spec.paused is set to true');
  expect((await getPool()).status?.phase).toBeUndefined();
});
