export type { MembersComparison } from './compare-members.js';
export { compareMachinesAndMembers } from './compare-members.js';
export type { EtcdCallOptions, EtcdCluster } from './etcd-cluster.js';
export type { EtcdReason } from './etcd-error.js';
export { EtcdError } from './etcd-error.js';
export type { EtcdAlarm, EtcdMember, EtcdState } from './etcd-state.js';
export { memberNamed, memberNames } from './etcd-state.js';
export type { EtcdChange, EtcdTarget } from './etcd-target.js';
export { etcdTarget, quorumOf } from './etcd-target.js';
