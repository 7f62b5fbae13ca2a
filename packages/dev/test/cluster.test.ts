import { createServer } from 'node:net';
import { listenOn } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import { connectionOf, createHttpClient, nodes, parseKubeconfig } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { devClusters, devMachines } from '../src/index.js';
import { conditionOf, DevPlane } from './dev-plane.js';

const namespace = 'default';

describe('a DevCluster', () => {
  let plane: DevPlane;
  beforeAll(async () => {
    plane = await DevPlane.start();
  });
  afterAll(() => plane.stop());

  it('gets its own port on the loopback address', async () => {
    await plane.createCluster('one');
    await plane.createCluster('two');
    const endpoints = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const key = { namespace, name };
        const provisioned = await plane.until(
          devClusters,
          key,
          (each) => each.status?.initialization?.provisioned === true,
        );
        expect(provisioned.metadata).toMatchObject({
          annotations: { 'inmemorycluster.infrastructure.cluster.x-k8s.io/listener': `default/${name}` },
          finalizers: ['dockercluster.infrastructure.cluster.x-k8s.io'],
        });
        return provisioned.spec?.controlPlaneEndpoint;
      }),
    );
    expect(endpoints.map((endpoint) => endpoint?.host)).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(endpoints[0]?.port).not.toBe(endpoints[1]?.port);
    for (const endpoint of endpoints) expect(endpoint?.port).toBeGreaterThanOrEqual(20_000);
  });

  it('uses the requested port', async () => {
    // Use a separate address: other clusters and tests use ports of the default one.
    const controlPlaneEndpoint = { host: '127.0.0.71', port: 29_871 };
    await plane.createCluster('asked', { backend: { inMemory: {} }, controlPlaneEndpoint });
    const key = { namespace, name: 'asked' };
    await plane.until(devClusters, key, (each) => each.status?.initialization?.provisioned === true);
    expect(plane.dev.workloads.get(key)?.url).toBe('https://127.0.0.71:29871');
  });

  it('releases its port after a move, which deletes it without finalizers', async () => {
    const key = { namespace, name: 'moved' };
    await plane.createCluster('moved');
    await plane.until(devClusters, key, (each) => each.status?.initialization?.provisioned === true);
    await plane.patch(clusters, key, { spec: { paused: true } });
    await plane.until(devClusters, key, (each) => conditionOf(each, 'Paused')?.status === 'True');
    await plane.client.delete(devClusters, key);
    await plane.patch(devClusters, key, { metadata: { finalizers: null } });
    await plane.client.delete(clusters, key);
    await plane.untilGone(clusters, key);
    // Poll: a simulated cluster has no events for its state.
    await vi.waitFor(() => expect(plane.dev.workloads.get(key)).toBeUndefined(), 60_000);
  });

  it('reports a port that another program uses', async () => {
    const other = createServer();
    const { port } = await listenOn(other, { host: '127.0.0.1', port: 0 }, () => undefined);
    await plane.createCluster('late', {
      backend: { inMemory: {} },
      controlPlaneEndpoint: { host: '127.0.0.1', port },
    });
    const reported = await plane.until(
      devClusters,
      { namespace, name: 'late' },
      (each) => conditionOf(each, 'Ready')?.reason === 'PortTaken',
    );
    expect(conditionOf(reported, 'Ready')?.message).toBe(
      `port ${port} of 127.0.0.1 is used by another program: stop that program; the cluster then recovers automatically`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('reports that the docker backend is not supported', async () => {
    await plane.createCluster('docked', { backend: { docker: {} } });
    const reported = await plane.until(
      devClusters,
      { namespace, name: 'docked' },
      (each) => conditionOf(each, 'Ready')?.status === 'False',
    );
    expect(conditionOf(reported, 'Ready')).toMatchObject({
      reason: 'BackendNotSupported',
      message: expect.stringContaining('spec.backend.inMemory') as string,
    });
  });

  it('keeps its endpoint, machines and provider IDs across a restart [14.48]', async () => {
    const { kubeconfig } = await plane.startCluster('lasting');
    await plane.createMachine('lasting-worker', { cluster: 'lasting' });
    await plane.untilReady('lasting-worker');
    const before = plane.dev.workloads.get({ namespace, name: 'lasting' })?.url;
    await plane.stopControllers();
    await plane.startControllers();
    const client = createHttpClient(connectionOf(parseKubeconfig(kubeconfig)));
    try {
      await plane.untilUp('lasting', 2);
      expect(plane.dev.workloads.get({ namespace, name: 'lasting' })?.url).toBe(before);
      const { items } = await client.list(nodes);
      expect(items.map(({ spec }) => spec?.providerID)).toEqual([
        'in-memory://lasting-cp-1',
        'in-memory://lasting-worker',
      ]);
      const { etcd } = plane.dev.workloads.get({ namespace, name: 'lasting' }) ?? {};
      expect(etcd?.members.map(({ name }) => name)).toEqual(['lasting-cp-1']);
    } finally {
      client.close();
    }
  });

  it('never reuses a resourceVersion after a restart, so that watches of other processes list again', async () => {
    const { kubeconfig } = await plane.startCluster('watched');
    const client = createHttpClient(connectionOf(parseKubeconfig(kubeconfig)));
    try {
      const { resourceVersion } = await client.list(nodes);
      await plane.stopControllers();
      await plane.startControllers();
      await plane.untilUp('watched', 1);
      const events = client.watch(nodes, { resourceVersion })[Symbol.asyncIterator]();
      expect((await events.next()).value).toMatchObject([{ type: 'ERROR', status: { code: 410 } }]);
    } finally {
      client.close();
    }
  });

  it('releases its port when it is deleted', async () => {
    const { workload } = await plane.startCluster('brief');
    const key = { namespace, name: 'brief' };
    await plane.client.delete(devMachines, { namespace, name: 'brief-cp-1' });
    await plane.untilGone(devMachines, { namespace, name: 'brief-cp-1' });
    await expect(workload.list(nodes)).rejects.toMatchObject({ name: 'ConnectionError', failure: 'unreachable' });
    await plane.client.delete(devClusters, key);
    await plane.untilGone(devClusters, key);
    expect(plane.dev.workloads.get(key)).toBeUndefined();
    await plane.client.delete(clusters, key);
  });

  it('is not reconciled while it is paused', async () => {
    await plane.createCluster('still', { backend: { inMemory: {} } }, { 'cluster.x-k8s.io/paused': '' });
    const reported = await plane.until(
      devClusters,
      { namespace, name: 'still' },
      (each) => conditionOf(each, 'Paused')?.status === 'True',
    );
    expect(reported.status?.initialization).toBeUndefined();
    expect(plane.dev.workloads.get({ namespace, name: 'still' })).toBeUndefined();
  });
});
