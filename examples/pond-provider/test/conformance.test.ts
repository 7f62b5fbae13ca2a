import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  clusters,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
  machines,
} from '@slipway/cluster-api';
import { fieldsWithoutDescription } from '@slipway/kube/kit';
import { providerConformance } from '@slipway/provider-kit/conformance';
import { type Client, getCondition } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { Cloud } from '../src/cloud.js';
import { createPondControllers, plugin } from '../src/index.js';
import { pondClusters, pondKinds, pondMachines } from '../src/kinds.js';

const namespace = 'default';
const group = 'infrastructure.cluster.x-k8s.io';
const inNamespace = (name: string): { namespace: string; name: string } => ({ namespace, name });
let cloud: Cloud;

function startPlane(): Promise<TestPlane> {
  cloud = new Cloud();
  return startTestPlane({
    sets: [clusterApiControllers, createPondControllers(cloud)],
    kinds: (find, client) => ({
      name: 'pond',
      kinds: [...clusterApiKinds, ...pondKinds],
      converters: createConverters(clusterApiConversions, contractVersionsFrom(find)),
      rules: bindAdmission(clusterApiAdmission, featureGateDefaults, client),
    }),
  });
}

void describe('field descriptions', () => {
  for (const kind of pondKinds)
    void it(`${kind.kind} describes every field`, () => {
      assert.deepEqual([...kind.schemas.values()].flatMap(fieldsWithoutDescription), []);
    });
});

void describe('provider conformance', () => {
  const cases = providerConformance({
    start: startPlane,
    clusterResource: pondClusters,
    machineResource: pondMachines,
    externalMachines: () => cloud.servers.map(({ name }) => name),
  });
  for (const { name, run } of cases) void it(name, () => run());
});

void it('creates a server for a machine once the cluster has its endpoint, and deletes it with the machine', async () => {
  const plane = await startPlane();
  const { client } = plane;
  await createCluster(client);
  await createMachine(client, 'first');
  await plane.until(pondMachines, inNamespace('first'), (machine) => {
    const created = getCondition(machine, 'ServerCreated');
    return created?.status === 'False' && created.reason === 'WaitingForClusterInfrastructureReady';
  });
  assert.equal(cloud.servers.length, 0);

  await createInfrastructure(client);
  await plane.until(clusters, inNamespace('demo'), ({ spec }) => spec.controlPlaneEndpoint?.host === '192.0.2.254');
  const machine = await plane.until(machines, inNamespace('first'), ({ status }) => status?.addresses !== undefined);
  const [server] = cloud.servers;
  assert.equal(machine.spec.providerID, `pond://${server?.name}`);
  assert.deepEqual(machine.status?.addresses, [{ type: 'InternalIP', address: server?.address }]);

  await client.delete(machines, inNamespace('first'));
  await plane.untilGone(machines, inNamespace('first'));
  assert.equal(cloud.servers.length, 0);
  await client.delete(clusters, inNamespace('demo'));
  await plane.untilGone(clusters, inNamespace('demo'));
  await plane.untilGone(pondClusters, inNamespace('demo'));
  await plane.stop();
});

void it('is a plugin with a cluster template', () => {
  assert.equal(plugin.name, 'pond');
  assert.match(plugin.templates?.['cluster-template.yaml'] ?? '', /kind: PondCluster/);
});

async function createCluster(client: Client): Promise<void> {
  await client.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: inNamespace('demo'),
    spec: { infrastructureRef: { apiGroup: group, kind: 'PondCluster', name: 'demo' } },
  });
}

async function createInfrastructure(client: Client): Promise<void> {
  await client.create(pondClusters, {
    apiVersion: `${group}/v1beta2`,
    kind: 'PondCluster',
    metadata: inNamespace('demo'),
  });
}

/** Creates a Machine with bootstrap data, which a bootstrap provider would create. */
async function createMachine(client: Client, name: string): Promise<void> {
  await client.create(pondMachines, {
    apiVersion: `${group}/v1beta2`,
    kind: 'PondMachine',
    metadata: inNamespace(name),
  });
  await client.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: inNamespace(name),
    spec: {
      clusterName: 'demo',
      bootstrap: { dataSecretName: `${name}-data` },
      infrastructureRef: { apiGroup: group, kind: 'PondMachine', name },
    },
  });
}
