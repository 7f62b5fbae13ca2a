export { duplexPair } from './duplex-pair.js';
export { EtcdCluster, type EtcdMember } from './etcd-cluster.js';
export { type EtcdServing, serveEtcd } from './etcd-server.js';
