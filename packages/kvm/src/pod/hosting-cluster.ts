import { type Clock, type Disposable, type Logger, type Random, silentLogger } from '@slipway/base';
import { ClusterCache, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConnectRemote,
  ifPresent,
  type ObjectKey,
  type Pod,
  pods,
  type Reader,
  ReconcileError,
  type RemoteCluster,
  type Secret,
  secrets,
  type Trigger,
} from '@slipway/runtime';
import type { KVMCluster } from '../api/index.js';

export interface HostingClustersOptions {
  /** Reads Secrets of the management cluster. Defaults to the reader of the first reconcile. */
  readonly read?: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  readonly connect?: ConnectRemote;
}

const kubeconfigKeys = ['value', 'kubeconfig'];

/** The cluster that runs the pods, and the same cluster as the target of changes, to be spread into a change. */
export interface PodCluster {
  readonly read: Reader;
  readonly target: { readonly on?: RemoteCluster };
}

/**
 * Connections to the clusters that run the pods: the management cluster, or the cluster whose kubeconfig is in the Secret of
 * `infraClusterSecretRef`, such as the previous management cluster after a move.
 */
export class HostingClusters implements Disposable {
  readonly #cache: ClusterCache;
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  #own: Reader | undefined;

  constructor({ read, connect, logger = silentLogger, ...dependencies }: HostingClustersOptions) {
    this.#own = read;
    const readSecret = async (key: ObjectKey): Promise<Frozen<Secret> | undefined> =>
      this.#own && ifPresent(this.#own.get(secrets, key));
    this.#cache = new ClusterCache({
      ...dependencies,
      logger,
      ...(connect && { connect }),
      kubeconfigs: {
        async read(key) {
          const secret = await readSecret(key);
          const encoded = kubeconfigKeys.map((name) => secret?.data?.[name]).find((value) => value !== undefined);
          return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
        },
        // Secrets are not watched: a changed kubeconfig is read after the connection with the old one fails.
        onChange: () => ({ dispose: () => undefined }),
      },
    });
  }

  /**
   * Returns the cluster that runs the pods. Throws if the cluster is not reachable, because its pods must not be
   * considered deleted.
   */
  async clusterFor(kvmCluster: Frozen<KVMCluster> | undefined, own: Reader): Promise<PodCluster> {
    const reference = kvmCluster?.spec?.infraClusterSecretRef;
    if (reference === undefined) return { read: own, target: {} };
    this.#own ??= own;
    const key = { namespace: reference.namespace ?? kvmCluster?.metadata.namespace ?? '', name: reference.name };
    try {
      await this.#cache.watch(key, { name: 'machines', resource: pods, options, handler: this.#handler });
      const on = await this.#cache.cluster(key);
      return { read: on.read, target: { on } };
    } catch (cause) {
      const message = `the cluster that runs the pods (kubeconfig in Secret ${key.namespace}/${key.name}) is not reachable`;
      throw new ReconcileError('HostUnreachable', message, { retry: 'later', cause });
    }
  }

  /** Triggers a reconcile of machines whose pods changed in other clusters. */
  readonly trigger: Trigger = (enqueue) => {
    this.#listeners.add(enqueue);
    return { dispose: () => void this.#listeners.delete(enqueue) };
  };

  async dispose(): Promise<void> {
    await this.#cache.dispose();
  }

  readonly #notify = ({ metadata }: Frozen<Pod>): void => {
    // A pod has the namespace and name of its machine.
    for (const listener of this.#listeners)
      listener({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
  };
  readonly #handler = { added: this.#notify, updated: this.#notify, deleted: this.#notify };
}

const options = { stripManagedFields: true, labelSelector: labels.clusterName };
