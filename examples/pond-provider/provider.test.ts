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
import { describe, expect, it } from 'vitest';
import { pondClusters, pondKinds, pondMachines } from './kinds.js';
import { Pond } from './pond.js';
import { createPondControllers } from './provider.js';

const namespace = 'default';
const group = 'infrastructure.cluster.x-k8s.io';
const inNamespace = (name: string): { namespace: string; name: string } => ({ namespace, name });
let pond: Pond;

function startPlane(): Promise<TestPlane> {
  pond = new Pond();
  return startTestPlane({
    sets: [clusterApiControllers, createPondControllers(pond)],
    kinds: (find, client) => ({
      name: 'pond',
      kinds: [...clusterApiKinds, ...pondKinds],
      converters: createConverters(clusterApiConversions, contractVersionsFrom(find)),
      rules: bindAdmission(clusterApiAdmission, featureGateDefaults, client),
    }),
  });
}

describe('field descriptions', () => {
  it.each(pondKinds.map((kind) => [kind.kind, kind] as const))('%s describes every field', (_kind, kind) => {
    expect([...kind.schemas.values()].flatMap(fieldsWithoutDescription)).toEqual([]);
  });
});

describe('provider conformance', () => {
  const cases = providerConformance({
    start: startPlane,
    clusterResource: pondClusters,
    machineResource: pondMachines,
    externalMachines: () => pond.boats.map(({ name }) => name),
  });
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

it('launches a boat for a machine once the cluster has its pond, and removes it on deletion', async () => {
  const plane = await startPlane();
  const { client } = plane;
  await createCluster(client);
  await createMachine(client, 'first');
  await plane.until(pondMachines, inNamespace('first'), (machine) => {
    const launched = getCondition(machine, 'BoatLaunched');
    return launched?.status === 'False' && launched.reason === 'WaitingForClusterInfrastructureReady';
  });
  expect(pond.boats).toEqual([]);

  await createPond(client);
  await plane.until(clusters, inNamespace('lake'), ({ spec }) => spec.controlPlaneEndpoint?.host === '192.0.2.254');
  const machine = await plane.until(machines, inNamespace('first'), ({ status }) => status?.addresses !== undefined);
  const [boat] = pond.boats;
  expect(machine.spec.providerID).toBe(`pond://${boat?.name}`);
  expect(machine.status?.addresses).toEqual([{ type: 'InternalIP', address: boat?.address }]);

  await client.delete(machines, inNamespace('first'));
  await plane.untilGone(machines, inNamespace('first'));
  expect(pond.boats).toEqual([]);
  await client.delete(clusters, inNamespace('lake'));
  await plane.untilGone(clusters, inNamespace('lake'));
  await plane.untilGone(pondClusters, inNamespace('lake'));
  await plane.stop();
});

async function createCluster(client: Client): Promise<void> {
  await client.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: inNamespace('lake'),
    spec: { infrastructureRef: { apiGroup: group, kind: 'PondCluster', name: 'lake' } },
  });
}

async function createPond(client: Client): Promise<void> {
  await client.create(pondClusters, {
    apiVersion: `${group}/v1beta2`,
    kind: 'PondCluster',
    metadata: inNamespace('lake'),
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
      clusterName: 'lake',
      bootstrap: { dataSecretName: `${name}-data` },
      infrastructureRef: { apiGroup: group, kind: 'PondMachine', name },
    },
  });
}
