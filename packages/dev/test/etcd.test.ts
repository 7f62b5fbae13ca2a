import { systemClock } from '@slipway/base';
import { createEtcdCluster, type EtcdCluster } from '@slipway/kubeadm';
import { pods } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InProcessWorkloadClient } from '../src/workload/workload-client.js';
import { DevPlane } from './dev-plane.js';

describe('the etcd of a simulated cluster', () => {
  let plane: DevPlane;
  let workload: InProcessWorkloadClient;
  let etcd: EtcdCluster;
  const nodes = ['data-cp-1', 'data-cp-2', 'data-cp-3'];

  beforeAll(async () => {
    plane = await DevPlane.start();
    const started = await plane.startCluster('data');
    workload = started.workload as InProcessWorkloadClient;
    for (const name of nodes.slice(1)) {
      await plane.createMachine(name, { cluster: 'data', controlPlane: true });
      await plane.untilReady(name);
    }
    etcd = await connect();
  });
  afterAll(() => plane.stop());

  async function connect(authorityOf = 'data'): Promise<EtcdCluster> {
    const credentials = await plane.etcdCredentials(authorityOf);
    return createEtcdCluster({
      portForward: (pod, port) => workload.portForward(pod, port),
      credentials,
      clock: systemClock,
    });
  }

  it('is reached by the name of its Pod, which no certificate has, and names each member after its Node [14.33]', async () => {
    const { members } = await etcd.state(nodes);
    expect(members.map(({ name }) => name)).toEqual(nodes);
  });

  it('moves leadership to another member', async () => {
    await etcd.forwardLeadership('data-cp-1', 'data-cp-2');
    const { items } = await workload.list(pods, { namespace: 'kube-system', labelSelector: 'component=etcd' });
    const leaders = items.filter(({ metadata }) =>
      Object.keys(metadata.annotations ?? {}).some((key) => key.endsWith('leader-from')),
    );
    expect(leaders.map(({ metadata }) => metadata.name)).toEqual(['etcd-data-cp-1', 'etcd-data-cp-2']);
  });

  it('rejects client certificates of another CA', async () => {
    await plane.startCluster('other');
    await expect((await connect('other')).state(nodes)).rejects.toMatchObject({ name: 'EtcdError' });
  });
});
