import type { Client, HttpClient, ObjectKey, Reader } from '../client/index.js';

/**
 * A cluster other than the management cluster. Controllers read from it, and name it as the target of a change. Only the executor
 * can write to it.
 */
export interface RemoteCluster {
  /** Name of the cluster in logs and change records: `namespace/name` of the Cluster, or a name of the provider. */
  readonly name: string;
  readonly read: Reader;
}

/** A client of another cluster. The caller that opens it must close it. */
export interface RemoteClient extends Client, Pick<HttpClient, 'getRaw' | 'portForward' | 'close'> {}

/** Opens a client of another cluster. Returns undefined for clusters that are reached over HTTPS with their kubeconfig. */
export type ConnectRemote = (kubeconfig: string, cluster: ObjectKey) => RemoteClient | undefined;

const clients = new WeakMap<RemoteCluster, Client>();

export function remoteCluster(name: string, client: Client): RemoteCluster {
  return asRemoteCluster({ name, read: client }, client);
}

/** Binds a handle to the client with which the executor writes. For types that extend RemoteCluster. */
export function asRemoteCluster<C extends RemoteCluster>(cluster: C, client: Client): C {
  clients.set(cluster, client);
  return cluster;
}

/** Returns the client for writes. Used by the executor only, and not exported from the package. */
export function writableClientOf(cluster: RemoteCluster): Client {
  const client = clients.get(cluster);
  if (client === undefined) throw new TypeError(`cluster ${cluster.name} was not created by remoteCluster()`);
  return client;
}
