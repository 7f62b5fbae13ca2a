import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { systemClock } from '@slipway/base';
import { createEtcdCluster } from '@slipway/kubeadm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DevPlane } from '../../packages/dev/test/dev-plane.js';
import { peerBinary, type PeerProcess, startPeer } from '../support/peer-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';

// Inspects a simulated cluster with stock kubectl and the cluster's kubeconfig.
describe('kubectl on a simulated cluster', () => {
  const folder = mkdtempSync(`${tmpdir()}/slipway-dev-`);
  const kubeconfig = `${folder}/kubeconfig`;
  let plane: DevPlane;

  const kubectl = (...args: string[]): Promise<CommandResult> =>
    runCommand(peerBinary('kubectl'), ['--kubeconfig', kubeconfig, ...args], {
      env: { HOME: folder, PATH: process.env['PATH'] ?? '' },
    });

  beforeAll(async () => {
    plane = await DevPlane.start();
    const cluster = await plane.startCluster('seen');
    await plane.createMachine('seen-worker-1', { cluster: 'seen' });
    await plane.untilReady('seen-worker-1');
    writeFileSync(kubeconfig, cluster.kubeconfig);
  });
  afterAll(async () => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const names = (output: string): string[] =>
    output
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/)[0] ?? '');

  it('lists its nodes as ready', async () => {
    const { stdout, stderr } = await kubectl('get', 'nodes', '--no-headers');
    expect(stderr).toBe('');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    expect(rows.map(([name, status, role, , version]) => [name, status, role, version])).toEqual([
      ['seen-cp-1', 'Ready', 'control-plane', 'v1.34.1'],
      ['seen-worker-1', 'Ready', '<none>', 'v1.34.1'],
    ]);
  });

  it('lists the objects of kubeadm in kube-system', async () => {
    const listed = await kubectl('get', 'pods,daemonsets,deployments,configmaps', '-n', 'kube-system', '-o', 'name');
    expect(names(listed.stdout)).toEqual([
      'pod/etcd-seen-cp-1',
      'pod/kube-apiserver-seen-cp-1',
      'pod/kube-controller-manager-seen-cp-1',
      'pod/kube-scheduler-seen-cp-1',
      'daemonset.apps/kube-proxy',
      'deployment.apps/coredns',
      'configmap/coredns',
      'configmap/extension-apiserver-authentication',
      'configmap/kube-proxy',
      'configmap/kube-root-ca.crt',
      'configmap/kubeadm-config',
      'configmap/kubelet-config',
    ]);
  });

  it('describes nodes, writes objects and runs auth whoami', async () => {
    expect((await kubectl('describe', 'node', 'seen-worker-1')).stdout).toContain('in-memory://seen-worker-1');
    expect((await kubectl('create', 'namespace', 'mine')).stdout).toBe('namespace/mine created\n');
    expect((await kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}')).stdout).toContain(
      'system:masters',
    );
    expect((await kubectl('get', 'clusterroles', 'kubeadm:get-nodes', '-o', 'name')).stdout).toContain(
      'kubeadm:get-nodes',
    );
  });

  it.each([
    { name: 'a tunnel through a WebSocket', env: {} },
    { name: 'SPDY', env: { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' } },
  ])('forwards the port of etcd by $name', async ({ env }) => {
    const peer = startPeer(
      peerBinary('kubectl'),
      ['--kubeconfig', kubeconfig, 'port-forward', '-n', 'kube-system', 'pod/etcd-seen-cp-1', ':2379'],
      { HOME: folder, ...env },
    );
    try {
      const localPort = await forwardedPort(peer);
      const etcd = createEtcdCluster({
        portForward: () => Promise.resolve(connect({ host: '127.0.0.1', port: localPort })),
        credentials: await plane.etcdCredentials('seen'),
        clock: systemClock,
      });
      // Connect twice: kubectl uses a separate pair of streams for every connection that it accepts.
      for (const round of [1, 2]) {
        const { members } = await etcd.state(['seen-cp-1']);
        expect(
          members.map(({ name }) => name),
          `round ${round}: ${peer.log()}`,
        ).toEqual(['seen-cp-1']);
      }
    } finally {
      await peer.stop();
    }
  });
});

/** Returns the port that kubectl chose. kubectl prints it once it listens. */
async function forwardedPort(peer: PeerProcess): Promise<number> {
  const [, port] = await peer.said(/Forwarding from 127\.0\.0\.1:(\d+)/);
  return Number(port);
}
