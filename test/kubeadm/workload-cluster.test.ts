import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import type { WorkloadCluster } from '@slipway/cluster-api';
import {
  controlPlaneHealth,
  type ControlPlaneWorkload,
  createControlPlaneWorkload,
  EtcdClientCredentials,
} from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import {
  asRemoteCluster,
  ChangeExecutor,
  connectionOf,
  createHttpClient,
  type HttpClient,
  type Node,
  nodes,
  parseKubeconfig,
  pods,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneMachineFixture } from '../../packages/kubeadm/src/testing/control-plane-objects.js';
import { workloadConformance } from '../../packages/kubeadm/test/workload-conformance.js';
import { type FakeKubelet, startFakeKubelet } from '../support/fake-kubelet.js';
import { OpensslAuthority } from '../support/openssl-certificates.js';
import { RealEtcd } from '../support/real-etcd.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';

workloadConformance('over HTTPS, on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  const client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
  return {
    client,
    async stop() {
      client.close();
      await server.stop();
    },
  };
});

const names = ['node-1', 'node-2', 'node-3'];
/** The port of a server with another certificate. */
const foreignPort = 7443;

describe('port-forwards to Pods through kube-apiserver and a kubelet', () => {
  const etcd = new RealEtcd();
  let server: RealKubeApiserver;
  let kubelet: FakeKubelet;
  let client: HttpClient;
  let workload: ControlPlaneWorkload;

  beforeAll(async () => {
    server = await startRealKubeApiserver();
    await etcd.start(names);
    kubelet = await startFakeKubelet(new OpensslAuthority(server.folder, 'kubelets'), (pod, port) => {
      if (port === 6443) return server.port;
      const member = etcd.members.find(({ name }) => port === foreignPort || pod === `etcd-${name}`);
      return port === 1234 ? 1 : (member?.clientPort ?? 1);
    });
    client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
    for (const name of names) await createNode(name);
    const made = new EtcdClientCredentials({ clock: systemClock, random: systemRandom, keys: new KeyPool() });
    const handle: WorkloadCluster = {
      name: 'default/c',
      read: client,
      getRaw: (...request) => client.getRaw(...request),
      portForward: (...request) => client.portForward(...request),
    };
    workload = createControlPlaneWorkload({
      workload: asRemoteCluster(handle, client),
      writer: new ChangeExecutor({ client, clock: systemClock, controller: 'test' }),
      clock: systemClock,
      logger: silentLogger,
      etcdCredentials: () => made.for(etcd.authority),
    });
  });
  afterAll(async () => {
    client.close();
    await kubelet.stop();
    await etcd.stop();
    await server.stop();
  });

  /** Creates a Node with a simulated kubelet, and the Pods that kubeadm would run on it. */
  async function createNode(name: string): Promise<void> {
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'node-role.kubernetes.io/control-plane': '' } },
      spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
    };
    await client.create(nodes, node);
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
      conditions: [{ type: 'Ready', status: 'True' }],
    };
    await client.patch(nodes, { namespace: '', name }, { type: 'merge', patch: { status } }, { subresource: 'status' });
    for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd']) {
      const key = { namespace: 'kube-system', name: `${component}-${name}` };
      await client.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...key },
        spec: {
          nodeName: name,
          hostNetwork: true,
          containers: [{ name: component, image: 'x' }],
          automountServiceAccountToken: false,
        },
      });
      const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await client.patch(pods, key, { type: 'merge', patch: { status: running } }, { subresource: 'status' });
    }
  }

  const machines = names.map((name) => controlPlaneMachineFixture(`m-${name}`, { node: name }));

  it('connect to etcd, so that the whole control plane is healthy', async () => {
    await expect
      .poll(
        async () => {
          const observation = await workload.observe(machines, { isEtcdManaged: true });
          const health = controlPlaneHealth({
            machines,
            observation,
            kubeadmConfigs: new Map(),
            isEtcdManaged: true,
            nowMs: systemClock.now(),
          });
          return health.controlPlane.conditions.map(({ type, status, message }) => ({ type, status, message }));
        },
        { timeout: 60_000 },
      )
      .toEqual([
        { type: 'ControlPlaneComponentsHealthy', status: 'True', message: '' },
        { type: 'EtcdClusterHealthy', status: 'True', message: '' },
      ]);
    expect(kubelet.paths.every((path) => path.startsWith('/portForward/kube-system/etcd-node-'))).toBe(true);
  });

  it('allow moving leadership and removing members', async () => {
    const before = await workload.observe(machines, { isEtcdManaged: true });
    const state = before.etcd !== undefined && 'state' in before.etcd ? before.etcd.state : undefined;
    const leader = state?.leader ?? '';
    const [next = '', other = ''] = names.filter((name) => name !== leader);
    await workload.forwardEtcdLeadership(leader, next);
    const member = state?.members.find(({ name }) => name === other) ?? { id: '0', name: '' };
    await expect
      .poll(
        () =>
          workload.removeEtcdMember(member, [...before.nodes.values()]).then(
            () => 'removed',
            (error: Error) => error.message,
          ),
        {
          timeout: 60_000,
        },
      )
      .toBe('removed');
    const after = await workload.observe(machines, { isEtcdManaged: true });
    expect(after.etcd).toMatchObject({ state: { leader: next } });
    expect(after.etcd !== undefined && 'state' in after.etcd && after.etcd.state.members).toHaveLength(2);
  });

  it('return the expiry of an API server certificate that kubeadm generated (10.9)', async () => {
    const days = ((await workload.apiServerCertificateExpiry('node-1', 6443)) - systemClock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(31);
    await expect(workload.apiServerCertificateExpiry('node-1', foreignPort)).rejects.toMatchObject({
      reason: 'CertificateUnreadable',
      message:
        'unable to get certificate expiry for kube-apiserver on Node/node-1: couldn\'t get peer certificate with cn="kube-apiserver"',
    });
  });

  it('return the error of the kubelet when the port is closed', async () => {
    const failure: unknown = await workload.apiServerCertificateExpiry('node-1', 1234).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: 'CertificateUnreadable',
      message: expect.stringContaining('error forwarding port 1234: connect ECONNREFUSED') as string,
    });
  });

  it('return the Status with which kube-apiserver rejects them', async () => {
    await expect(client.portForward({ namespace: 'kube-system', name: 'nobody' }, 1)).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'pods "nobody" not found',
    });
    const nobody = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfigFor('nobody'))));
    try {
      await expect(nobody.portForward({ namespace: 'kube-system', name: 'etcd-node-1' }, 2379)).rejects.toMatchObject({
        reason: 'Forbidden',
      });
    } finally {
      nobody.close();
    }
  });
});
