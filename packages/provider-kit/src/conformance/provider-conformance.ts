import assert from 'node:assert/strict';
import { clusters, machines } from '@slipway/cluster-api';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { type Condition, type Conditioned, FencedError, getCondition } from '@slipway/runtime';
import type { InfrastructureCluster, InfrastructureMachine } from '../contract.js';
import {
  clusterName,
  type ConformancePlane,
  createCluster,
  createInfraCluster,
  createMachine,
  isClusterProvisioned,
  isMachineProvisioned,
  keyFor,
  type ProviderUnderTest,
} from './provider-under-test.js';

/** One requirement of the contract. Pass `name` and `run` to any test runner. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

const machineName = 'first';

/** Returns the requirements that every infrastructure provider must meet. */
export function providerConformance(provider: ProviderUnderTest): readonly ConformanceCase[] {
  const { clusterResource, machineResource } = provider;
  const onPlane = (name: string, run: (plane: ConformancePlane) => Promise<void>): ConformanceCase => ({
    name,
    run: () => withPlane(provider, run),
  });
  return [
    onPlane(`${clusterResource.kind} reports an endpoint, initialization.provisioned and Ready`, async (plane) => {
      await createCluster(plane, provider);
      await createInfraCluster(plane, provider);
      const object = await plane.until(clusterResource, keyFor(clusterName), isClusterProvisioned);
      const endpoint = (object as Frozen<InfrastructureCluster>).spec?.controlPlaneEndpoint;
      assert.ok(endpoint?.host !== undefined && endpoint.host !== '', 'spec.controlPlaneEndpoint.host is set');
      assert.ok(endpoint.port !== undefined && endpoint.port > 0, 'spec.controlPlaneEndpoint.port is set');
      // Ready is optional in the contract. If it exists, it must become True.
      await plane.until(
        clusterResource,
        keyFor(clusterName),
        (each) => (conditionOf(each, 'Ready')?.status ?? 'True') === 'True',
      );
      const { metadata } = object;
      assert.equal(metadata.ownerReferences?.[0]?.kind, 'Cluster');
      assert.ok((metadata.finalizers ?? []).length > 0, 'a finalizer is set');
    }),
    onPlane(`${machineResource.kind} reports providerID, addresses and initialization.provisioned`, async (plane) => {
      const object = await launch(plane, provider);
      const { spec, status } = object as Frozen<InfrastructureMachine>;
      assert.match(spec?.providerID ?? '', /^[a-z][a-z0-9-]*:\/\/.+/);
      assert.ok((status?.addresses ?? []).length > 0, 'status.addresses has an entry');
      const machine = await plane.until(machines, keyFor(machineName), (each) => each.spec.providerID !== undefined);
      assert.equal(machine.spec.providerID, spec?.providerID);
      assert.equal((await provider.externalMachines()).length, 1);
    }),
    onPlane(
      `${machineResource.kind} waits for the cluster infrastructure, with a condition and without a machine`,
      async (plane) => {
        await createCluster(plane, provider);
        await createMachine(plane, provider, machineName);
        await waitsFor(plane, provider, 'WaitingForClusterInfrastructureReady');
      },
    ),
    onPlane(
      `${machineResource.kind} waits for bootstrap data, with a condition and without a machine`,
      async (plane) => {
        await createCluster(plane, provider);
        await createInfraCluster(plane, provider);
        await plane.until(clusterResource, keyFor(clusterName), isClusterProvisioned);
        await createMachine(plane, provider, machineName, { hasData: false });
        await waitsFor(plane, provider, 'WaitingForBootstrapData');
      },
    ),
    onPlane('machines of a paused Cluster are neither created nor deleted', (plane) => pauses(plane, provider)),
    onPlane('deletion removes the machine before its object, and the objects before the cluster', (plane) =>
      deletes(plane, provider),
    ),
    onPlane('a settled provider writes nothing, also after a restart', async (plane) => {
      await launch(plane, provider);
      await plane.settle();
      const ours = countChanges(plane, provider);
      await plane.restartControllers();
      await plane.settle();
      assert.deepEqual(ours.take(), []);
      assert.equal((await provider.externalMachines()).length, 1);
    }),
    {
      name: 'a crash after any change leaves exactly one machine and no orphaned resources',
      run: () => survivesCrashes(provider),
    },
  ];
}

async function withPlane(provider: ProviderUnderTest, run: (plane: ConformancePlane) => Promise<void>): Promise<void> {
  const plane = await provider.start();
  try {
    await provider.prepare?.(plane);
    await run(plane);
  } finally {
    await plane.stop();
  }
}

async function launch(plane: ConformancePlane, provider: ProviderUnderTest): Promise<Frozen<KubeObject>> {
  await createCluster(plane, provider);
  await createInfraCluster(plane, provider);
  await createMachine(plane, provider, machineName);
  return plane.until(provider.machineResource, keyFor(machineName), isMachineProvisioned);
}

async function waitsFor(plane: ConformancePlane, provider: ProviderUnderTest, reason: string): Promise<void> {
  await plane.until(provider.machineResource, keyFor(machineName), (object) =>
    conditionsOf(object).some((condition) => condition.status === 'False' && condition.reason === reason),
  );
  assert.deepEqual(await provider.externalMachines(), []);
}

async function pauses(plane: ConformancePlane, provider: ProviderUnderTest): Promise<void> {
  const { client } = plane;
  const setPaused = async (paused: boolean): Promise<void> => {
    await client.patch(clusters, keyFor(clusterName), { type: 'merge', patch: { spec: { paused } } });
  };
  await createCluster(plane, provider);
  await createInfraCluster(plane, provider);
  await plane.until(provider.clusterResource, keyFor(clusterName), isClusterProvisioned);
  await plane.until(
    clusters,
    keyFor(clusterName),
    ({ status }) => status?.initialization?.infrastructureProvisioned === true,
  );
  await setPaused(true);
  await plane.until(provider.clusterResource, keyFor(clusterName), isPausedByCondition);
  await createMachine(plane, provider, machineName);
  await plane.settle();
  assert.deepEqual(await provider.externalMachines(), [], 'nothing is created while paused');
  await setPaused(false);
  await plane.until(provider.machineResource, keyFor(machineName), isMachineProvisioned);
  await setPaused(true);
  await plane.until(provider.machineResource, keyFor(machineName), isPausedByCondition);
  await client.delete(provider.machineResource, keyFor(machineName));
  await plane.settle();
  assert.equal((await provider.externalMachines()).length, 1, 'nothing is removed while paused');
}

async function deletes(plane: ConformancePlane, provider: ProviderUnderTest): Promise<void> {
  await launch(plane, provider);
  await plane.client.delete(machines, keyFor(machineName));
  await plane.untilGone(provider.machineResource, keyFor(machineName));
  assert.deepEqual(await provider.externalMachines(), []);
  await plane.untilGone(machines, keyFor(machineName));
  await plane.client.delete(clusters, keyFor(clusterName));
  await plane.untilGone(clusters, keyFor(clusterName));
  await plane.untilGone(provider.clusterResource, keyFor(clusterName));
}

/** Upper limit of changes for one machine, so that a provider that never settles does not make the suite endless. */
const crashesMax = 60;

/** Stops the reconcile right after the n-th change of the provider, restarts the controllers, and checks the result. */
async function survivesCrashes(provider: ProviderUnderTest): Promise<void> {
  let hasCrashed = true;
  for (let at = 1; hasCrashed; at += 1) {
    assert.ok(at <= crashesMax, `the provider made more than ${crashesMax} changes for one machine`);
    hasCrashed = await crashOnceAt(provider, at);
  }
}

async function crashOnceAt(provider: ProviderUnderTest, at: number): Promise<boolean> {
  let hasCrashed = false;
  await withPlane(provider, async (plane) => {
    let count = 0;
    let restart: Promise<void> | undefined;
    const subscription = plane.changes.subscribe(({ object, result }) => {
      if (hasCrashed || result !== 'ok' || !isOurs(provider, object.kind)) return;
      count += 1;
      if (count < at) return;
      hasCrashed = true;
      // Restart asynchronously, so that the reconcile that made the change ends first.
      restart = Promise.resolve().then(() => plane.restartControllers());
      throw new FencedError('crash');
    });
    await launch(plane, provider);
    await plane.client.delete(machines, keyFor(machineName));
    await plane.untilGone(machines, keyFor(machineName));
    await plane.untilGone(provider.machineResource, keyFor(machineName));
    await restart;
    await subscription.dispose();
    assert.deepEqual(await provider.externalMachines(), [], `a machine was left behind by a crash after change ${at}`);
    await assertGone(plane, provider);
  });
  return hasCrashed;
}

async function assertGone({ client }: ConformancePlane, { machineResource }: ProviderUnderTest): Promise<void> {
  await assert.rejects(client.get(machineResource, keyFor(machineName)), (error: unknown) =>
    isReason(error, 'NotFound'),
  );
}

function countChanges(plane: ConformancePlane, provider: ProviderUnderTest): { take(): string[] } {
  const lines: string[] = [];
  const subscription = plane.changes.subscribe(({ object, verb, reason, message }) => {
    if (isOurs(provider, object.kind)) lines.push(`${verb} ${object.kind} ${object.name} ${reason}: ${message}`);
  });
  return {
    take() {
      void subscription.dispose();
      return lines;
    },
  };
}

function isOurs({ clusterResource, machineResource }: ProviderUnderTest, kind: string): boolean {
  return kind === clusterResource.kind || kind === machineResource.kind;
}

function conditionsOf(object: Frozen<KubeObject>): readonly Condition[] {
  return (object as Conditioned).status?.conditions ?? [];
}

function conditionOf(object: Frozen<KubeObject>, type: string): Condition | undefined {
  return getCondition(object as Conditioned, type);
}

function isPausedByCondition(object: Frozen<KubeObject>): boolean {
  return conditionOf(object, 'Paused')?.status === 'True';
}
