export type { EtcdCallOptions, EtcdCluster } from './etcd-cluster.js';
export type { EtcdReason } from './etcd-error.js';
export { EtcdError } from './etcd-error.js';
export type { EtcdAlarm, EtcdAlarmType, EtcdId, EtcdMember, EtcdState, EtcdStatus } from './etcd-state.js';
export { alarmsOf, memberNamed, memberNames } from './etcd-state.js';
