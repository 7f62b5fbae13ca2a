export { connectDirectly } from './direct-connection.js';
export { duplexPair } from './duplex-pair.js';
export type { CallContext } from './etcd-calls.js';
export { EtcdCluster, type EtcdMember } from './etcd-cluster.js';
export { type EtcdServing, serveEtcd } from './etcd-server.js';
