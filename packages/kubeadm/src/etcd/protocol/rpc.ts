import {
  boolean,
  enumeration,
  int64,
  message,
  type MessageType,
  nested,
  nestedList,
  text,
  texts,
  uint64,
} from './message.js';

/** One unary call of etcd's gRPC API. */
export interface Rpc<Request, Response> {
  readonly path: string;
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
}

const header = message({ clusterId: uint64(1), memberId: uint64(2), revision: int64(3), raftTerm: uint64(4) });

const member = message({
  id: uint64(1),
  name: text(2),
  peerUrls: texts(3),
  clientUrls: texts(4),
  isLearner: boolean(5),
});

const alarm = message({ memberId: uint64(1), alarm: enumeration(2) });

/** Actions of the Alarm call. Zero lists the raised alarms. */
export const alarmActions = { get: 0, activate: 1, deactivate: 2 } as const;

/** Alarm names by number. */
export const alarmNames = ['NONE', 'NOSPACE', 'CORRUPT'] as const;

function rpc<Request, Response>(
  path: string,
  request: MessageType<Request>,
  response: MessageType<Response>,
): Rpc<Request, Response> {
  return { path: `/etcdserverpb.${path}`, request, response };
}

const members = message({ header: nested(1, header), members: nestedList(2, member) });

/** The calls that a control plane makes to its etcd. Clients and simulated servers share them. */
export const etcdRpcs = {
  /** A linearizable read: confirmed by a quorum instead of read from the local state of one member. */
  memberList: rpc('Cluster/MemberList', message({ linearizable: boolean(1) }), members),
  memberAdd: rpc(
    'Cluster/MemberAdd',
    message({ peerUrls: texts(1), isLearner: boolean(2) }),
    message({ header: nested(1, header), member: nested(2, member), members: nestedList(3, member) }),
  ),
  memberRemove: rpc('Cluster/MemberRemove', message({ id: uint64(1) }), members),
  alarm: rpc(
    'Maintenance/Alarm',
    message({ action: enumeration(1), memberId: uint64(2), alarm: enumeration(3) }),
    message({ header: nested(1, header), alarms: nestedList(2, alarm) }),
  ),
  status: rpc(
    'Maintenance/Status',
    message({}),
    message({
      header: nested(1, header),
      version: text(2),
      databaseBytes: int64(3),
      leader: uint64(4),
      raftIndex: uint64(5),
      raftTerm: uint64(6),
      errors: texts(8),
      isLearner: boolean(10),
    }),
  ),
  moveLeader: rpc('Maintenance/MoveLeader', message({ targetId: uint64(1) }), message({ header: nested(1, header) })),
} as const;
