import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTinyImage, kvmClusters, kvmMachines, type TinyImage } from '@slipway/kvm';
import { clusters, machines } from '@slipway/cluster-api';
import { configMaps, namespaces, podDisruptionBudgets, pods, type Resource, secrets, services } from '@slipway/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Management, startOnKubernetes } from '../clusters/management.js';
import { PodRunner } from './pod-runner.js';
import { removeHost } from './support/host-folder.js';

// kube-apiserver, `slipway manager`, and pods that are played at the edge: the machine in the pod is a real one of QEMU.
const namespace = 'abc';
const folder = mkdtempSync(join(tmpdir(), 'pods-'));
let management: Management;
let tiny: TinyImage;
let runner: PodRunner;

beforeAll(async () => {
  [management, tiny] = await Promise.all([startOnKubernetes(), buildTinyImage({ directory: join(folder, 'tiny') })]);
  runner = new PodRunner(management.client, join(folder, 'pod'));
}, 180_000);
afterAll(async () => {
  try {
    runner?.kill();
    await management?.stop();
  } finally {
    removeHost(folder);
  }
});

const bootstrapData = `#cloud-config
write_files:
-   path: /www/index.html
    content: |
      I am in a pod
runcmd:
  - 'httpd -p 8080 -h /www'
`;

async function createObjects(): Promise<void> {
  const { client } = management;
  const meta = (name: string): { name: string; namespace: string; labels: Record<string, string> } => ({
    name,
    namespace,
    labels: { 'cluster.x-k8s.io/cluster-name': 'abc' },
  });
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: meta('abc'),
    spec: { infrastructureRef: { apiGroup: kvmClusters.group, kind: 'KVMCluster', name: 'abc' } },
  });
  await client.create(kvmClusters, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'KVMCluster',
    metadata: meta('abc'),
    spec: { backend: 'pod', network: { mode: 'user' } },
  });
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: meta('worker-data'),
    data: { value: Buffer.from(bootstrapData).toString('base64') },
  });
  await client.create(kvmMachines, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'KVMMachine',
    metadata: meta('worker'),
    spec: {
      resources: { cpu: 1, memory: '256Mi', disk: '32Mi' },
      image: { url: tiny.disk },
      bootMode: 'kernel',
      kernel: {
        image: { url: tiny.kernel },
        initrd: { url: tiny.initrd },
        commandLine: 'console=ttyS0 quiet panic=-1',
      },
      accelerator: 'tcg',
      shutdown: { gracePeriodSeconds: 30 },
      network: { portForwards: [{ guestPort: 8080 }] },
    },
  });
  await client.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: meta('worker'),
    spec: {
      clusterName: 'abc',
      version: 'v1.36.3',
      bootstrap: { dataSecretName: 'worker-data' },
      infrastructureRef: { apiGroup: kvmMachines.group, kind: 'KVMMachine', name: 'worker' },
    },
  });
}

it('a pod runs a real machine, and ends it as the guest wants', async () => {
  await createObjects();
  const key = { namespace, name: 'worker' };
  const pod = await management.until('a pod', pods, (view) => view.get(key));
  expect(pod.metadata.ownerReferences).toBeUndefined();
  await runner.start(pod);
  await runner.tell(pod);
  const machine = await management.until('provisioned', kvmMachines, (view) => {
    const found = view.get(key);
    return found?.status?.initialization?.provisioned === true && found;
  });
  const uuid = machine.spec?.providerID?.replace('kvm://', '') ?? '';
  const forward = runner.record(uuid).qemu.interfaces[0]?.forwards.find(({ guestPort }) => guestPort === 8080);
  const page = async (): Promise<string> =>
    fetch(`http://127.0.0.1:${forward?.hostPort ?? 0}/`).then(
      (response) => response.text(),
      () => runner.log,
    );
  await expect.poll(page, { timeout: 60_000, interval: 500 }).toBe('I am in a pod\n');
  expect(await runner.probe(pod, 'livenessProbe')).toBe(true);
  const service = await management.client.get(services, { namespace, name: 'control-plane' });
  const { spec } = await management.client.get(kvmClusters, { namespace, name: 'abc' });
  expect(spec?.controlPlaneEndpoint).toEqual({ host: service.spec?.clusterIP, port: 6443 });

  await management.client.delete(machines, key);
  const leaving = await management.until('the pod to be deleted', pods, (view) => {
    const found = view.get(key);
    return found?.metadata.deletionTimestamp !== undefined && found;
  });
  // The launcher translates the signal: the guest shuts down by itself, and QEMU ends.
  await runner.end(leaving);
  expect(runner.exitCode).toBe(0);
  await management.until('the machine to be gone', kvmMachines, (view) => view.get(key) === undefined);
  const labelSelector = `infrastructure.cluster.x-k8s.io/kvm-machine-uuid=${uuid}`;
  for (const resource of [pods, configMaps, secrets, podDisruptionBudgets] as Resource[])
    expect((await management.client.list(resource, { namespace, labelSelector })).items).toEqual([]);
}, 180_000);
