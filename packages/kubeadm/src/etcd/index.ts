export { EtcdClientCredentials } from './client-credentials.js';
export { compareMachinesAndMembers } from './etcd-state.js';
export type {
  EtcdCallOptions,
  EtcdCluster,
  EtcdConnection,
  EtcdDialer,
  PortForwardDialOptions,
} from './etcd-cluster.js';
export { createEtcdCluster } from './etcd-cluster.js';
export { EtcdError } from './etcd-state.js';
export type { EtcdMember, EtcdState } from './etcd-state.js';
export { memberNamed, memberNames } from './etcd-state.js';
export type { EtcdChange } from './etcd-target.js';
export { etcdTarget, quorumOf } from './etcd-target.js';
export type { EtcdCredentials } from './grpc-connection.js';
export { etcdRefusal } from './grpc-connection.js';
export type { Rpc } from './protocol/index.js';
export { alarmActions, decodeFrame, encodeFrame, etcdRpcs } from './protocol/index.js';
export { withDeadline } from './etcd-cluster.js';
