export { EtcdClientCredentials } from './client-credentials.js';
export type { MembersComparison } from './compare-members.js';
export { compareMachinesAndMembers } from './compare-members.js';
export type {
  EtcdCallOptions,
  EtcdCluster,
  EtcdClusterOptions,
  EtcdConnection,
  EtcdDialer,
  PortForwardDialOptions,
} from './etcd-cluster.js';
export { createEtcdCluster } from './etcd-cluster.js';
export type { EtcdReason, EtcdStep } from './etcd-error.js';
export { EtcdError } from './etcd-error.js';
export type { EtcdAlarm, EtcdMember, EtcdState } from './etcd-state.js';
export { memberNamed, memberNames } from './etcd-state.js';
export type { EtcdChange, EtcdTarget } from './etcd-target.js';
export { etcdTarget, quorumOf } from './etcd-target.js';
export type { EtcdCredentials } from './grpc-connection.js';
export { etcdRefusal } from './grpc-connection.js';
export type { MessageType, Rpc } from './protocol/index.js';
export { alarmActions, decodeFrame, encodeFrame, etcdRpcs } from './protocol/index.js';
export { withDeadline } from './with-deadline.js';
