import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusters, machines } from '@slipway/cluster-api';
import { type KVMCluster, kvmClusters, kvmMachines, type TinyImage } from '@slipway/kvm';
import {
  configMaps,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  type Resource,
  secrets,
  services,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingresses, tlsRoutes } from '../../packages/kvm/src/endpoint/resources.js';
import { conditionOf } from '../../packages/kvm/test/support/kvm-plane.js';
import { type Management, startOnKubernetes } from '../clusters/management.js';
import { PodRunner } from './pod-runner.js';
import { removeHost } from './support/host-folder.js';
import { hostedElsewhere } from './support/hosted-elsewhere.js';
import { createCluster, createMachine } from './support/cluster-objects.js';
import { tinyImage, tinyMachine } from './support/tiny-guest.js';
import { tlsRouteDefinition } from './support/tls-route-definition.js';

// Runs kube-apiserver, `slipway manager` and a simulated kubelet. The machine in the Pod is a real QEMU virtual machine.
const namespace = 'abc';
const timeoutMs = 240_000;
const folder = mkdtempSync(join(tmpdir(), 'pods-'));
let management: Management;
let tiny: TinyImage;
let runner: PodRunner;

beforeAll(async () => {
  [management, tiny] = await Promise.all([startOnKubernetes(), tinyImage()]);
  runner = new PodRunner(management.client, join(folder, 'pod'));
  const { client } = management;
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // Create the Node: Pods of a Node that does not exist are garbage-collected after a while.
  await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'edge' } });
}, 300_000);
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

const keyOf = (name: string) => ({ namespace, name });
const isGone = (resource: Resource, name: string): Promise<unknown> =>
  management.until(
    `${resource.kind} ${name} to be gone`,
    resource,
    (view) => view.get(keyOf(name)) === undefined,
    timeoutMs,
  );

it('runs a real virtual machine in a Pod and shuts it down gracefully', async () => {
  await createCluster(management.client, namespace, 'abc', { backend: 'pod', network: { mode: 'user' } });
  const spec = { ...tinyMachine(tiny), network: { portForwards: [{ guestPort: 8080 }] } };
  await createMachine(management.client, { namespace, cluster: 'abc', name: 'worker', data: bootstrapData, spec });
  const key = keyOf('worker');
  const pod = await management.until('a pod', pods, (view) => view.get(key), timeoutMs);
  expect(pod.metadata.ownerReferences).toBeUndefined();
  await runner.start(pod);
  await runner.reportStatus(pod);
  const machine = await management.until(
    'provisioned',
    kvmMachines,
    (view) => {
      const found = view.get(key);
      return found?.status?.initialization?.provisioned === true && found;
    },
    timeoutMs,
  );
  const uuid = machine.spec?.providerID?.replace('kvm://', '') ?? '';
  const forward = runner.record(uuid).qemu.interfaces[0]?.forwards.find(({ guestPort }) => guestPort === 8080);
  const page = async (): Promise<string> =>
    fetch(`http://127.0.0.1:${forward?.hostPort ?? 0}/`).then(
      (response) => response.text(),
      () => runner.log,
    );
  await expect.poll(page, { timeout: timeoutMs, interval: 500 }).toBe('I am in a pod\n');
  expect(await runner.probe(pod, 'livenessProbe')).toBe(true);
  const service = await management.client.get(services, { namespace, name: 'control-plane' });
  const { spec: clusterSpec } = await management.client.get(kvmClusters, { namespace, name: 'abc' });
  expect(clusterSpec?.controlPlaneEndpoint).toEqual({ host: service.spec?.clusterIP, port: 6443 });

  await management.client.delete(machines, key);
  const deleting = await management.until(
    'the pod to be deleted',
    pods,
    (view) => {
      const found = view.get(key);
      return found?.metadata.deletionTimestamp !== undefined && found;
    },
    timeoutMs,
  );
  // The launcher translates the signal to an ACPI shutdown: the guest shuts down, and QEMU exits.
  await runner.end(deleting);
  expect(runner.exitCode).toBe(0);
  expect(await runner.probe(pod, 'livenessProbe')).toBe(false);
  await isGone(kvmMachines, 'worker');
  const labelSelector = `infrastructure.cluster.x-k8s.io/kvm-machine-uuid=${uuid}`;
  for (const resource of [pods, configMaps, secrets, podDisruptionBudgets] as Resource[])
    expect((await management.client.list(resource, { namespace, labelSelector })).items).toEqual([]);
}, 600_000);

describe('a control plane endpoint with a DNS name', () => {
  const endpoint = (name: string): Promise<NonNullable<KVMCluster['spec']>['controlPlaneEndpoint']> =>
    management.until(
      'an endpoint',
      kvmClusters,
      (view) => {
        const found = view.get(keyOf(name));
        return found?.status?.initialization?.provisioned === true && found.spec?.controlPlaneEndpoint;
      },
      timeoutMs,
    );
  const exposed = (name: string, controlPlaneExposure: object): Promise<void> =>
    createCluster(management.client, namespace, name, { backend: 'pod', controlPlaneExposure });

  it('uses an Ingress, which is deleted with its cluster', async () => {
    await exposed('by-ingress', { type: 'Ingress', baseDomain: 'example.com', ingressClassName: 'nginx' });
    expect(await endpoint('by-ingress')).toEqual({ host: 'by-ingress.k8s.example.com', port: 443 });
    const { spec } = await management.client.get(ingresses, keyOf('by-ingress-control-plane'));
    expect(spec).toEqual({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['by-ingress.k8s.example.com'] }],
      rules: [
        {
          host: 'by-ingress.k8s.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'by-ingress-control-plane', port: { number: 6443 } } },
              },
            ],
          },
        },
      ],
    });
    await management.client.delete(clusters, keyOf('by-ingress'));
    for (const resource of [ingresses, services]) await isGone(resource, 'by-ingress-control-plane');
    await isGone(kvmClusters, 'by-ingress');
  }, 400_000);

  it('uses a TLSRoute, reports a missing Gateway API, and continues when it is installed', async () => {
    await exposed('by-route', { type: 'Gateway', baseDomain: 'example.com', gatewayRef: { name: 'edge' } });
    const waits = await management.until(
      'it to say what is missing',
      kvmClusters,
      (view) => {
        const found = conditionOf(view.get(keyOf('by-route')) ?? {}, 'ControlPlaneEndpointReady');
        return found?.reason === 'GatewayApiMissing' && found;
      },
      timeoutMs,
    );
    expect(waits.message).toContain('install the Gateway API CRDs');
    await management.kubectl(['apply', '-f', '-'], { input: tlsRouteDefinition });
    expect(await endpoint('by-route')).toEqual({ host: 'by-route.k8s.example.com', port: 443 });
    const route = tlsRoutes.find(({ version }) => version === 'v1alpha2') as Resource;
    expect((await management.client.get(route, keyOf('by-route-control-plane')))['spec']).toEqual({
      parentRefs: [{ name: 'edge' }],
      hostnames: ['by-route.k8s.example.com'],
      rules: [{ backendRefs: [{ name: 'by-route-control-plane', port: 6443 }] }],
    });
    await management.client.delete(clusters, keyOf('by-route'));
    await isGone(kvmClusters, 'by-route');
    for (const resource of [route, services as Resource])
      await expect(management.client.get(resource, keyOf('by-route-control-plane'))).rejects.toThrow('not found');
  }, 400_000);
});

it("sets a readiness condition on a worker's Pod from its Node, so that Services exclude it", async () => {
  const { client } = management;
  await createCluster(client, namespace, 'gate', { backend: 'pod' });
  // This cluster is also the workload cluster, so it has the Nodes.
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...keyOf('gate-kubeconfig'), labels: { 'cluster.x-k8s.io/cluster-name': 'gate' } },
    type: 'cluster.x-k8s.io/secret',
    data: {
      value: Buffer.from(await management.kubectl(['config', 'view', '--raw', '-o', 'json'])).toString('base64'),
    },
  });
  await createMachine(client, { namespace, cluster: 'gate', name: 'gated', data: bootstrapData });
  const pod = await management.until('a pod', pods, (view) => view.get(keyOf('gated')), timeoutMs);
  const gate = 'infrastructure.cluster.x-k8s.io/workload-node-ready';
  expect(pod.spec?.['readinessGates']).toEqual([{ conditionType: gate }]);
  await runner.reportStatus(pod);
  const machine = await management.until(
    'an identity',
    kvmMachines,
    (view) => {
      const found = view.get(keyOf('gated'));
      return found?.status?.initialization?.provisioned === true && found;
    },
    timeoutMs,
  );
  const gateCondition = (status: string): Promise<{ reason?: string }> =>
    management.until(
      `the gate to be ${status}`,
      pods,
      (view) => {
        const found = view.get(keyOf('gated'))?.status?.conditions?.find(({ type }) => type === gate);
        return found?.status === status && found;
      },
      timeoutMs,
    );
  expect((await gateCondition('Unknown')).reason).toBe('NodeNotFound');
  await client.create(nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'gated' },
    spec: { providerID: machine.spec?.providerID ?? '' },
  });
  const reportStatus = (status: string): Promise<unknown> => {
    const conditions = [{ type: 'Ready', status, reason: 'Played', message: '' }];
    return client.patch(
      nodes,
      { name: 'gated', namespace: '' },
      { type: 'merge', patch: { status: { conditions } } },
      {
        subresource: 'status',
      },
    );
  };
  await reportStatus('True');
  expect((await gateCondition('True')).reason).toBe('NodeReady');
  await reportStatus('False');
  expect((await gateCondition('False')).reason).toBe('NodeNotReady');
  await client.delete(machines, keyOf('gated'));
  await isGone(kvmMachines, 'gated');
}, 600_000);

hostedElsewhere(() => management);
