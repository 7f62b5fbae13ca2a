import { alarmActions, etcdRpcs, type Rpc } from '@slipway/kubeadm';
import type { EtcdCluster, EtcdMember } from './etcd-cluster.js';

/** An error with a gRPC status code. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

export const callStatus = {
  invalidArgument: 3,
  notFound: 5,
  failedPrecondition: 9,
  unimplemented: 12,
  unavailable: 14,
} as const;

/** The member that a call is addressed to, and the callback for changes. */
export interface CallContext {
  readonly etcd: EtcdCluster;
  readonly member: EtcdMember;
  /** Called after the membership or the leader has changed. */
  readonly changed: () => Promise<void>;
}

type Handler = (context: CallContext, request: Uint8Array) => Promise<Uint8Array>;

/** The calls of etcd's API that are simulated, by path. */
export const etcdCalls: ReadonlyMap<string, Handler> = new Map([
  handler(etcdRpcs.memberList, async (context, { linearizable }) => {
    if (linearizable) requireQuorum(context.etcd);
    return { header: headerOf(context), members: membersOf(context.etcd) };
  }),
  handler(etcdRpcs.memberRemove, async (context, { id }) => {
    requireQuorum(context.etcd);
    if (!context.etcd.remove(id)) throw new CallError(callStatus.notFound, 'etcdserver: member not found');
    await context.changed();
    return { header: headerOf(context), members: membersOf(context.etcd) };
  }),
  handler(etcdRpcs.moveLeader, async (context, { targetId }) => {
    const { etcd, member } = context;
    if (etcd.leader?.id !== member.id) throw new CallError(callStatus.failedPrecondition, 'etcdserver: not leader');
    if (!etcd.moveLeader(targetId))
      throw new CallError(callStatus.failedPrecondition, 'etcdserver: bad leader transferee');
    await context.changed();
    return { header: headerOf(context) };
  }),
  handler(etcdRpcs.alarm, async (context, { action }) => {
    if (action !== alarmActions.get) throw new CallError(callStatus.unimplemented, 'alarms are not simulated');
    return { header: headerOf(context), alarms: [] };
  }),
  handler(etcdRpcs.status, async (context) => {
    const { etcd } = context;
    return {
      header: headerOf(context),
      version: '3.6.4',
      databaseBytes: 1_048_576n,
      leader: etcd.hasQuorum ? (etcd.leader?.id ?? 0n) : 0n,
      raftIndex: 1n,
      raftTerm: etcd.term,
      errors: etcd.hasQuorum ? [] : ['etcdserver: no leader'],
    };
  }),
]);

function handler<Request, Response>(
  rpc: Rpc<Request, Response>,
  answer: (context: CallContext, request: Request) => Promise<Partial<Response>>,
): readonly [string, Handler] {
  return [rpc.path, async (context, bytes) => rpc.response.encode(await answer(context, rpc.request.decode(bytes)))];
}

function requireQuorum(etcd: EtcdCluster): void {
  if (!etcd.hasQuorum) throw new CallError(callStatus.unavailable, 'etcdserver: no leader');
}

function headerOf({ etcd, member }: CallContext): {
  clusterId: bigint;
  memberId: bigint;
  revision: bigint;
  raftTerm: bigint;
} {
  return { clusterId: etcd.id, memberId: member.id, revision: 1n, raftTerm: etcd.term };
}

function membersOf(etcd: EtcdCluster): {
  id: bigint;
  name: string;
  peerUrls: string[];
  clientUrls: string[];
  isLearner: boolean;
}[] {
  return etcd.members.map(({ id, name, address }) => ({
    id,
    name,
    peerUrls: [`https://${address}:2380`],
    clientUrls: [`https://${address}:2379`],
    isLearner: false,
  }));
}
