import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { clusters, machines } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import {
  ChangeExecutor,
  configMaps,
  coreEvents,
  type Deployment,
  deployments,
  ownerReference,
  type Pod,
  podDisruptionBudgets,
  pods,
  type Resource,
  secrets,
  services,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptedDeploymentAnnotation, HostingClusters, PodMachines, podSettingsDefault } from '../src/pod/index.js';
import {
  applyMigration,
  GivenEndpoint,
  kvmClusters,
  kvmMachines,
  type LegacyConfig,
  planMigration,
  ServiceEndpoint,
} from '../src/index.js';
import { conditionOf, keyOf, KVMPlane, namespace } from './support/kvm-plane.js';

// Pods are simulated: the test writes their status instead of a kubelet.
const scope = new Scope();
let plane: KVMPlane;

const options = () => {
  const hosting = new HostingClusters({ clock: systemClock, random: systemRandom });
  scope.add(hosting);
  return {
    services: [new PodMachines(hosting, { ...podSettingsDefault, launcherImage: 'vmm:test' })],
    endpoints: [new ServiceEndpoint(hosting), new GivenEndpoint()],
    hosting,
  };
};

beforeAll(async () => {
  plane = await KVMPlane.start(options());
});
afterAll(async () => {
  await plane.stop();
  await scope.dispose();
});

const status = (ip: string, restartCount = 0): NonNullable<Pod['status']> => ({
  phase: 'Running',
  podIP: ip,
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [
    {
      name: 'vmm',
      ready: true,
      restartCount,
      image: 'vmm',
      imageID: 'vmm',
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    },
  ],
});

async function simulate(name: string, state: NonNullable<Pod['status']>): Promise<void> {
  await plane.client.patch(
    pods,
    keyOf(name),
    { type: 'merge', patch: JSON.parse(JSON.stringify({ status: state })) as never },
    { subresource: 'status' },
  );
}

async function runningCluster(name: string): Promise<void> {
  await plane.createCluster(name, { backend: 'pod' });
  await plane.provisionCluster(name);
}

/** Creates a machine with a running pod. */
async function runningMachine(name: string, cluster: string, controlPlane = false): Promise<Pod> {
  await plane.createMachine(name, { cluster, controlPlane });
  await plane.until(pods, keyOf(name), () => true);
  await simulate(name, status('10.1.0.5'));
  await plane.untilMachine(name, (one) => one.status?.initialization?.provisioned === true);
  return (await plane.client.get(pods, keyOf(name))) as Pod;
}

describe('machines that run as pods', () => {
  it('creates the pod of a machine with its objects, and deletes all of them', async () => {
    await runningCluster('life');
    const pod = await runningMachine('life-1', 'life', true);
    expect(pod.metadata.ownerReferences).toBeUndefined();
    const service = await plane.client.get(services, keyOf('life-control-plane'));
    const { controlPlaneEndpoint } = (await plane.client.get(kvmClusters, keyOf('life'))).spec ?? {};
    expect(controlPlaneEndpoint).toEqual({ host: service.spec?.clusterIP, port: 6443 });
    const machine = await plane.untilMachine('life-1', (one) => one.status?.vm?.apiServer !== undefined);
    expect(machine.status?.vm).toMatchObject({ pod: 'life-1', apiServer: { host: '10.1.0.5', port: 6443 } });
    expect(machine.status?.addresses?.[0]).toEqual({ type: 'InternalIP', address: '10.1.0.5' });
    await plane.client.delete(kvmMachines, keyOf('life-1'));
    await plane.untilGone(kvmMachines, keyOf('life-1'));
    const labelSelector = 'infrastructure.cluster.x-k8s.io/kvm-machine-uuid';
    for (const resource of [pods, configMaps, podDisruptionBudgets, secrets] as Resource[])
      expect((await plane.client.list(resource, { namespace, labelSelector })).items).toEqual([]);
    await plane.client.delete(kvmClusters, keyOf('life'));
    await plane.untilGone(kvmClusters, keyOf('life'));
    await plane.untilGone(services, keyOf('life-control-plane'));
  });

  it('does not re-create a machine whose pod was lost with its disks [kvm 8]', async () => {
    await runningCluster('lost');
    await runningMachine('lost-1', 'lost');
    await plane.client.delete(pods, keyOf('lost-1'), { gracePeriodSeconds: 0 });
    const machine = await plane.waitForMachine('lost-1', 'VMProvisioned', 'PodLost');
    // Provisioned is never reset (kvm 30).
    expect(machine.status?.initialization?.provisioned).toBe(true);
    const { items } = await plane.client.list(pods, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('lost-1');
  });

  it('re-creates the pod of a machine whose disks are claims [kvm 7]', async () => {
    await runningCluster('kept');
    await plane.createMachine('kept-1', { cluster: 'kept', spec: { diskStorageClassName: 'fast' } });
    const first = await plane.until(pods, keyOf('kept-1'), () => true);
    await simulate('kept-1', status('10.1.0.6'));
    await plane.untilMachine('kept-1', (one) => one.status?.initialization?.provisioned === true);
    await plane.client.delete(secrets, keyOf('kept-1-vm-bootstrap'));
    await plane.client.delete(pods, keyOf('kept-1'), { gracePeriodSeconds: 0 });
    const second = await plane.until(pods, keyOf('kept-1'), ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.metadata.labels).toEqual(first.metadata.labels);
    // The machine has joined and does not need bootstrap data.
    const { items } = await plane.client.list(secrets, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('kept-1-vm-bootstrap');
  });

  it('keeps the machine running when its objects are moved, and finds it again from the spec [kvm 1]', async () => {
    await runningCluster('moved');
    const pod = await runningMachine('moved-1', 'moved');
    const before = await plane.client.get(kvmMachines, keyOf('moved-1'));
    await plane.stopControllers();
    // `clusterctl move` removes finalizers and deletes the objects in the source cluster.
    await plane.client.patch(kvmMachines, keyOf('moved-1'), {
      type: 'merge',
      patch: { metadata: { finalizers: null } },
    });
    await plane.client.delete(kvmMachines, keyOf('moved-1'));
    expect((await plane.client.get(pods, keyOf('moved-1'))).metadata.uid).toBe(pod.metadata.uid);
    // The target cluster has an object with the same spec, another uid and no status (kvm 2, kvm 3).
    const { uid: _uid, resourceVersion: _version, ...metadata } = before.metadata;
    await plane.client.create(kvmMachines, { ...before, metadata: { ...metadata }, status: {} } as never);
    await plane.startControllers(options());
    await plane.untilMachine('moved-1', (one) => one.status?.vm?.pod === 'moved-1');
    expect((await plane.client.get(pods, keyOf('moved-1'))).metadata.uid).toBe(pod.metadata.uid);
  });
});

describe('behaviour of the previous provider', () => {
  it('ignores a paused machine, including one with the legacy annotation', async () => {
    await runningCluster('paused');
    await plane.stopControllers();
    await plane.createMachine('paused-1', { cluster: 'paused' });
    const annotate = (value: string | null) =>
      plane.client.patch(kvmMachines, keyOf('paused-1'), {
        type: 'merge',
        patch: { metadata: { annotations: { 'operatorkit.giantswarm.io/paused': value } } },
      });
    await annotate('true');
    await plane.startControllers(options());
    await plane.waitForMachine('paused-1', 'Paused', 'Paused');
    const { items } = await plane.client.list(pods, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).not.toContain('paused-1');
    await annotate(null);
    await plane.until(pods, keyOf('paused-1'), () => true);
    await simulate('paused-1', status('10.1.0.9'));
    const machine = await plane.untilMachine('paused-1', (one) => one.status?.initialization?.provisioned === true);
    expect(machine.metadata.finalizers).toEqual(['kvmmachine.infrastructure.cluster.x-k8s.io']);
  });

  it('reports a failure by an event and a condition, and continues when it is resolved', async () => {
    await runningCluster('taken');
    const foreign: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'taken-1', namespace },
      spec: { containers: [{ name: 'other', image: 'other' }] },
    };
    await plane.client.create(pods, foreign);
    await plane.createMachine('taken-1', { cluster: 'taken' });
    const events = async (): Promise<string[]> => {
      const { items } = await plane.client.list(coreEvents, { namespace });
      return items.map(({ reason = '', message = '' }) => `${reason}: ${message}`);
    };
    await expect
      .poll(events)
      .toContainEqual(
        expect.stringMatching(/^failed-to-reconcile: pod default\/taken-1 is not controlled by this machine/),
      );
    const taken = await plane.waitForMachine('taken-1', 'VMProvisioned', 'NameTaken');
    expect(conditionOf(taken, 'VMProvisioned')?.message).toContain('delete the pod, or rename the machine');
    await plane.client.delete(pods, keyOf('taken-1'), { gracePeriodSeconds: 0 });
    await plane.until(pods, keyOf('taken-1'), ({ metadata }) => metadata.labels !== undefined);
  });
});

describe('machines of the legacy operator', () => {
  it('are adopted while they run, and shut down by their own Deployment', async () => {
    await runningCluster('old');
    const labels = { app: 'worker-x1' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'k8s-kvm', image: 'k8s-kvm:0.6' }] } };
    const legacy: Deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'worker-x1', namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    };
    const deployed = await plane.client.create(deployments, legacy);
    const ran = await plane.client.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'worker-x1-abc',
        namespace,
        labels,
        annotations: { 'endpoint.kvm.giantswarm.io/ip': '172.23.1.2' },
      },
      spec: template.spec,
    });
    const legacyStatus = status('10.1.0.7');
    await simulate('worker-x1-abc', {
      ...legacyStatus,
      containerStatuses: (legacyStatus.containerStatuses ?? []).map((each) => ({ ...each, name: 'k8s-kvm' })),
    });
    await plane.createMachine('worker-x1', { cluster: 'old' });
    await plane.client.patch(kvmMachines, keyOf('worker-x1'), {
      type: 'merge',
      patch: { metadata: { annotations: { [adoptedDeploymentAnnotation]: 'worker-x1' } } },
    });
    const machine = await plane.untilMachine('worker-x1', (one) => one.status?.vm?.pod === 'worker-x1-abc');
    expect(machine.status?.addresses?.[0]?.address).toBe('172.23.1.2');
    const pod = await plane.client.get(pods, keyOf('worker-x1-abc'));
    expect(pod.metadata.uid).toBe(ran.metadata.uid);
    expect(pod.metadata.labels).toMatchObject({ app: 'worker-x1', 'cluster.x-k8s.io/cluster-name': 'old' });
    // A change of the pod template would restart the machine.
    expect((await plane.client.get(deployments, keyOf('worker-x1'))).metadata.generation).toBe(
      deployed.metadata.generation,
    );
    await plane.client.delete(kvmMachines, keyOf('worker-x1'));
    await plane.untilGone(deployments, keyOf('worker-x1'));
    // Simulates the deployment controller, which deletes the pod.
    await plane.client.delete(pods, keyOf('worker-x1-abc'), { gracePeriodSeconds: 0 });
    await plane.untilGone(kvmMachines, keyOf('worker-x1'));
    await plane.client.delete(machines, keyOf('worker-x1'));
  });

  it('migrates a whole running cluster: the same QEMU process in the same pod', async () => {
    const qemu = spawn('qemu-system-x86_64', ['-accel', 'tcg', '-m', '32M', '-nodefaults', '-display', 'none', '-S'], {
      stdio: 'ignore',
    });
    scope.defer(() => void qemu.kill('SIGKILL'));
    await once(qemu, 'spawn');
    const labels = { app: 'master-m1' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'k8s-kvm', image: 'k8s-kvm:0.6' }] } };
    const deployed = await plane.client.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'master-m1', namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    const ran = await plane.client.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'master-m1-abc',
        namespace,
        labels,
        annotations: { 'endpoint.kvm.giantswarm.io/ip': '172.23.1.9' },
      },
      spec: template.spec,
    });
    const played = status('10.1.0.9');
    await simulate('master-m1-abc', {
      ...played,
      containerStatuses: (played.containerStatuses ?? []).map((each) => ({ ...each, name: 'k8s-kvm' })),
    });
    // The namespace of the pods is named after the cluster.
    const config: LegacyConfig = {
      apiVersion: 'provider.giantswarm.io/v1alpha1',
      kind: 'KVMConfig',
      metadata: { name: namespace, namespace },
      spec: {
        cluster: {
          id: namespace,
          kubernetes: { api: { domain: 'api.default.k8s.example.com', securePort: 443 } },
          masters: [{ id: 'm1' }],
        },
        kvm: { masters: [{ cpus: 2, memory: '4G' }] },
      },
    };
    const plan = planMigration({ config, kubernetesVersion: 'v1.35.0', imageUrl: 'https://images.example.com/a' });
    const writer = new ChangeExecutor({ client: plane.client, clock: systemClock, controller: 'test' });
    const { created } = await applyMigration(writer, config, plan);
    expect(created).toContain('KVMMachine default/master-m1');
    expect(await applyMigration(writer, config, plan)).toEqual({ created: [], present: created });
    // Simulates the Cluster and Machine controllers, which set owner references.
    const owned = async (resource: Resource, owner: Resource, name: string): Promise<void> => {
      const reference = ownerReference(await plane.client.get(owner, keyOf(name)), { controller: true });
      const patch = JSON.parse(JSON.stringify({ metadata: { ownerReferences: [reference] } })) as JsonObject;
      await plane.client.patch(resource, keyOf(name), { type: 'merge', patch });
    };
    await owned(kvmClusters, clusters, namespace);
    await owned(kvmMachines, machines, 'master-m1');
    const machine = await plane.untilMachine('master-m1', (one) => one.status?.initialization?.provisioned === true);
    expect(machine.status?.vm?.pod).toBe('master-m1-abc');
    expect(machine.status?.addresses?.[0]?.address).toBe('172.23.1.9');
    const { spec } = await plane.provisionCluster(namespace);
    expect(spec?.controlPlaneEndpoint).toEqual({ host: 'api.default.k8s.example.com', port: 443 });
    expect((await plane.client.get(pods, keyOf('master-m1-abc'))).metadata.uid).toBe(ran.metadata.uid);
    expect((await plane.client.get(deployments, keyOf('master-m1'))).metadata.generation).toBe(
      deployed.metadata.generation,
    );
    expect({ exitCode: qemu.exitCode, signal: qemu.signalCode }).toEqual({ exitCode: null, signal: null });
  });
});
