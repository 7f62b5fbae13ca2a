import { readFileSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { systemClock, systemRandom, VirtualClock } from '@slipway/base';
import {
  alarmActions,
  createEtcdCluster,
  EtcdClientCredentials,
  type EtcdCluster,
  type EtcdCredentials,
  EtcdError,
  etcdRpcs,
  type EtcdState,
} from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GrpcConnection } from '../../packages/kubeadm/src/etcd/grpc-connection.js';
import { OpensslAuthority } from '../support/openssl-certificates.js';
import { RealEtcd } from '../support/real-etcd.js';

const names = ['node-1', 'node-2', 'node-3'];
const environment = { clock: systemClock, random: systemRandom, keys: new KeyPool() };
const never = new AbortController().signal;

/** Polls until the value is right: elections have no events. */
function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  const poll = async (): Promise<T> => {
    const value = await ask();
    if (!isRight(value)) throw new Error(`it did not become true in time: ${JSON.stringify(value)}`);
    return value;
  };
  return vi.waitFor(poll, { timeout: 60_000, interval: 50 });
}

function isSettled({ members, leader }: EtcdState): boolean {
  return leader !== undefined && members.every(({ name }) => name !== '');
}

function clusterOf(etcd: RealEtcd, credentials: EtcdCredentials): EtcdCluster {
  return createEtcdCluster({ clock: systemClock, credentials, portForward: (pod) => etcd.connect(pod.name) });
}

/** Makes calls that a control plane never makes, to create the states that it must detect. */
async function callMember<T>(
  etcd: RealEtcd,
  credentials: EtcdCredentials,
  name: string,
  use: (connection: GrpcConnection) => Promise<T>,
): Promise<T> {
  const connection = await GrpcConnection.open(await etcd.connect(`etcd-${name}`), `etcd-${name}`, credentials, never);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}

describe('a cluster of three real members', () => {
  const etcd = new RealEtcd();
  let credentials: EtcdCredentials;
  let cluster: EtcdCluster;

  beforeAll(async () => {
    await etcd.start(names);
    credentials = await new EtcdClientCredentials(environment).for(etcd.authority);
    cluster = clusterOf(etcd, credentials);
    await eventually(() => cluster.state(names), isSettled);
  });
  afterAll(() => etcd.stop());

  it('reports its members, its leader and no alarms', async () => {
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

  it('moves leadership away from the leader only', async () => {
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

  it('reports alarms for the member that raised them', async () => {
    const { members } = await cluster.state(names);
    const sick = members.find(({ name }) => name === 'node-2');
    const raise = { action: alarmActions.activate, memberId: BigInt(sick?.id ?? 0), alarm: 1 };
    const call = { step: 'alarms', signal: never } as const;
    await callMember(etcd, credentials, 'node-1', (connection) => connection.call(etcdRpcs.alarm, raise, call));
    const alarms = ({ members: seen }: EtcdState) =>
      seen.flatMap(({ name, alarms: raised }) => raised.map((alarm) => `${name} ${alarm}`));
    expect(alarms(await cluster.state(names))).toEqual(['node-2 NOSPACE']);
    const drop = { ...raise, action: alarmActions.deactivate };
    await callMember(etcd, credentials, 'node-1', (connection) => connection.call(etcdRpcs.alarm, drop, call));
    expect(alarms(await cluster.state(names))).toEqual([]);
  });

  it('reports a member that was added but not started: without a name, and as a learner if added as one', async () => {
    const before = await cluster.state(names);
    const request = { peerUrls: ['https://127.0.0.1:1'], isLearner: true };
    // Members accept no new member before they have been connected for a few seconds.
    await eventually(
      () =>
        callMember(etcd, credentials, before.leader ?? '', (connection) =>
          connection.call(etcdRpcs.memberAdd, request, { step: 'members', signal: never }),
        ),
      () => true,
    );
    const added = (await cluster.state(names)).members.find(({ name }) => name === '');
    expect(added).toMatchObject({ name: '', isLearner: true, alarms: [] });
    await cluster.removeMember(added ?? { id: '0', name: '' }, names);
    expect((await cluster.state(names)).members).toHaveLength(3);
  });

  it('rejects a client certificate of another CA', async () => {
    const strangers = new OpensslAuthority(etcd.folder, 'strangers');
    const wrong = await new EtcdClientCredentials(environment).for({
      certificate: readFileSync(strangers.certificateFile, 'utf8'),
      key: readFileSync(`${etcd.folder}/strangers.key`, 'utf8'),
    });
    // The server rejects the certificate of the client. In the second case the client also rejects that of the server.
    await expect(
      clusterOf(etcd, { ...wrong, authority: credentials.authority }).state(['node-1']),
    ).rejects.toMatchObject({
      name: 'EtcdError',
      reason: 'Untrusted',
      step: 'connect',
    });
    await expect(clusterOf(etcd, wrong).state(['node-1'])).rejects.toMatchObject({
      name: 'EtcdError',
      reason: 'Untrusted',
      step: 'connect',
    });
  });

  it('closes all connections', async () => {
    const streams: Duplex[] = [];
    const watched = (known: EtcdCredentials): EtcdCluster =>
      createEtcdCluster({
        clock: systemClock,
        credentials: known,
        portForward: async (pod) => {
          const stream = await etcd.connect(pod.name);
          streams.push(stream);
          return stream;
        },
      });
    await watched(credentials).state(['gone', 'node-1']);
    await watched(credentials).forwardLeadership('node-1', 'node-1');
    await watched(credentials).removeMember({ id: '1', name: 'nobody' }, names);
    await expect(watched({ ...credentials, key: 'no key' }).state(['node-1'])).rejects.toThrow(
      /no connection to etcd-node-1/,
    );
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
  });

  it('uses the next node if the first has no member', async () => {
    const state = await cluster.state(['gone', 'node-3']);
    expect(state.members).toHaveLength(3);
    await expect(cluster.state(['gone', 'lost'])).rejects.toMatchObject({
      reason: 'Unreachable',
      message:
        '[no connection to etcd-gone: pods "etcd-gone" not found, no connection to etcd-lost: pods "etcd-lost" not found]',
    });
    await expect(cluster.state([])).rejects.toMatchObject({ reason: 'Unreachable' });
  });

  it('keeps working with one failed member, removes it, and keeps the others', async () => {
    const { leader = '' } = await cluster.state(names);
    const [lost = '', kept = ''] = names.filter((name) => name !== leader);
    const gone = (await cluster.state(names)).members.find(({ name }) => name === lost);
    await etcd.stopMember(lost);
    const state = await cluster.state([lost, kept]);
    expect(state.members.map(({ name }) => name).sort()).toEqual(names);
    await cluster.removeMember(gone ?? { id: '0', name: '' }, names);
    expect((await cluster.state([kept])).members.map(({ name }) => name).sort()).toEqual([leader, kept].sort());
    await cluster.removeMember(gone ?? { id: '0', name: '' }, names);
  });

  it('reports a timeout without quorum, and never hangs', async () => {
    const before = await eventually(() => cluster.state(names), isSettled);
    const [alive = '', killed = ''] = before.members.map(({ name }) => name);
    await etcd.stopMember(killed);
    const impatient = createEtcdCluster({
      clock: systemClock,
      credentials,
      portForward: (pod) => etcd.connect(pod.name),
      callTimeoutMs: 2_000,
    });
    const failure: unknown = await impatient.state([alive]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EtcdError);
    expect(['Timeout', 'NoLeader']).toContain((failure as EtcdError).reason);
    expect((failure as EtcdError).step).toBe('members');
  });
});

describe('a cluster of one real member', () => {
  const etcd = new RealEtcd();
  let cluster: EtcdCluster;

  beforeAll(async () => {
    await etcd.start(['only']);
    cluster = clusterOf(etcd, await new EtcdClientCredentials(environment).for(etcd.authority));
    await eventually(() => cluster.state(['only']), isSettled);
  });
  afterAll(() => etcd.stop());

  it('never loses its last member', async () => {
    const [member = { id: '0', name: '' }] = (await cluster.state(['only'])).members;
    await expect(cluster.removeMember({ ...member, name: 'other' }, ['only'])).rejects.toMatchObject({
      reason: 'Refused',
      message: 'cannot remove the last etcd member in the cluster',
    });
  });
});

describe('a connection that hangs', () => {
  const silent = (): Duplex => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });

  it.each([
    { name: 'in the TLS handshake', portForward: () => Promise.resolve(silent()) },
    { name: 'before there is a stream', portForward: () => new Promise<Duplex>(() => undefined) },
  ])('times out after the dial timeout: $name', async ({ portForward }) => {
    const clock = new VirtualClock();
    const credentials = { authority: '', certificate: '', key: '' };
    const cluster = createEtcdCluster({ clock, credentials, portForward });
    const outcome = cluster.state(['node-1']).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await outcome).toMatchObject({
      reason: 'Timeout',
      step: 'connect',
      message: 'no connection to etcd-node-1 within 10 s',
    });
  });

  it('rejects with the reason of an abort', async () => {
    const stop = new AbortController();
    const credentials = { authority: '', certificate: '', key: '' };
    const cluster = createEtcdCluster({
      clock: new VirtualClock(),
      credentials,
      portForward: () => Promise.resolve(silent()),
    });
    const outcome = cluster.state(['node-1', 'node-2'], { signal: stop.signal }).catch((error: unknown) => error);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await outcome).toBe(reason);
  });
});
