import type { Client, Reader } from '../client/index.js';

/**
 * A cluster other than the management cluster, as controllers see it: they read from it, and name it as the target of a
 * change. Only the executor can write to it.
 */
export interface RemoteCluster {
  /** Names it in logs and change records: `namespace/name` of the Cluster, or what the provider calls it. */
  readonly name: string;
  readonly read: Reader;
}

const clients = new WeakMap<RemoteCluster, Client>();

export function remoteCluster(name: string, client: Client): RemoteCluster {
  return asRemoteCluster({ name, read: client }, client);
}

/** For types that add to RemoteCluster: binds the handle to the client that the executor writes with. */
export function asRemoteCluster<C extends RemoteCluster>(cluster: C, client: Client): C {
  clients.set(cluster, client);
  return cluster;
}

/** For the executor alone; not exported from the package. */
export function writableClientOf(cluster: RemoteCluster): Client {
  const client = clients.get(cluster);
  if (client === undefined) throw new TypeError(`cluster ${cluster.name} was not made by remoteCluster()`);
  return client;
}
