import { KeyPool, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  controlPlaneHealth,
  type ControlPlaneWorkload,
  createControlPlaneWorkload,
  EtcdClientCredentials,
} from '@slipway/kubeadm';
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
  type WorkloadCluster,
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
/** Behind it is a server with another certificate. */
const foreignPort = 7443;

describe('ports of Pods, through kube-apiserver to a kubelet', () => {
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

  /** A Node whose kubelet is ours, and the Pods that kubeadm would run on it. */
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

  it('lead to etcd: all of a control plane is healthy', async () => {
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

  it('let leadership be moved and members be removed', async () => {
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

  it('10.9 show until when the certificate of an API server is valid, if it is the one of kubeadm', async () => {
    const days = ((await workload.apiServerCertificateExpiry('node-1', 6443)) - systemClock.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(31);
    await expect(workload.apiServerCertificateExpiry('node-1', foreignPort)).rejects.toMatchObject({
      reason: 'CertificateUnreadable',
      message:
        'unable to get certificate expiry for kube-apiserver on Node/node-1: couldn\'t get peer certificate with cn="kube-apiserver"',
    });
  });

  it('tell what the kubelet says when nobody listens', async () => {
    const failure: unknown = await workload.apiServerCertificateExpiry('node-1', 1234).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: 'CertificateUnreadable',
      message: expect.stringContaining('error forwarding port 1234: connect ECONNREFUSED') as string,
    });
  });

  it('are refused by kube-apiserver itself with a Status', async () => {
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
