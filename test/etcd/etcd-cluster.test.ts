import { Duplex } from 'node:stream';
import { readFileSync } from 'node:fs';
import { KeyPool, systemClock, systemRandom } from '@slipway/base';
import {
  createEtcdCluster,
  EtcdClientCredentials,
  type EtcdCluster,
  type EtcdCredentials,
  etcdRpcs,
} from '@slipway/kubeadm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpensslAuthority } from '../support/openssl-certificates.js';
import { RealEtcd } from '../support/real-etcd.js';

const names = ['node-1', 'node-2', 'node-3'];
const world = { clock: systemClock, random: systemRandom, keys: new KeyPool() };

async function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      const value = await ask();
      if (isRight(value)) return value;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error('it did not become true in time');
    // Elections cannot be watched from here.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a cluster of three real members', () => {
  const etcd = new RealEtcd();
  let credentials: EtcdCredentials;
  let cluster: EtcdCluster;

  beforeAll(async () => {
    await etcd.start(names);
    credentials = await new EtcdClientCredentials(world).for(etcd.authority);
    cluster = createEtcdCluster({
      clock: systemClock,
      credentials,
      portForward: (pod) => etcd.connect(pod.name),
    });
    await eventually(
      () => cluster.state(names),
      ({ members, leader }) => leader !== undefined && members.every(({ name }) => name !== ''),
    );
  });
  afterAll(() => etcd.stop());

  it('tells its members, who leads, and that there are no alarms', async () => {
    const state = await cluster.state(names);
    expect(
      state.members
        .map(({ name, isLearner, alarms }) => ({ name, isLearner, alarms }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ).toEqual(names.map((name) => ({ name, isLearner: false, alarms: [] })));
    expect(names).toContain(state.leader);
    expect(new Set(state.members.map(({ id }) => id)).size).toBe(3);
    for (const { id } of state.members) expect(id).toMatch(/^\d+$/);
  });

  it('moves leadership, once, and only away from the leader', async () => {
    const { leader = '' } = await cluster.state(names);
    const [next = '', other = ''] = names.filter((name) => name !== leader);
    await cluster.forwardLeadership(leader, next);
    expect(
      (
        await eventually(
          () => cluster.state(names),
          (state) => state.leader === next,
        )
      ).leader,
    ).toBe(next);
    await cluster.forwardLeadership(leader, other);
    expect((await cluster.state(names)).leader).toBe(next);
    await expect(cluster.forwardLeadership(next, 'nobody')).rejects.toMatchObject({
      reason: 'Refused',
      step: 'move leader',
      message: 'failed to get etcd member for leader candidate "nobody"',
    });
  });
});
