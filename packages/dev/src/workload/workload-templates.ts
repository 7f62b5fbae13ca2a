import {
  KubernetesServer,
  LoopbackClient,
  type ObjectStore,
  openMemoryStore,
  type ServingIdentity,
} from '@slipway/apiserver';
import { type Clock, type Random, silentLogger } from '@slipway/base';
import { isReason, type KubeObject } from '@slipway/kube';
import { addOns } from './objects/add-ons.js';
import { defaultAccounts, namespaceResource } from './objects/cluster-objects.js';
import { kubeadmPolicy } from './objects/kubeadm-policy.js';

export interface TemplateDependencies {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Number of events kept for watches. A cluster has some dozens of changes, and a watch that is further behind must list again.
 */
const historyEventsMax = 500;
/** Limit for all clusters together. They share equal objects. */
const secondFormBytes = 4 * 1_048_576;

/**
 * Creates the objects of a cluster right after `kubeadm init` once per Kubernetes version. Clusters start as forks of this store
 * and share its hundred roles and bindings in memory.
 */
export class WorkloadTemplates {
  readonly #stores = new Map<string, Promise<ObjectStore>>();

  constructor(private readonly dependencies: TemplateDependencies) {}

  /**
   * Returns the store of a new cluster. Its revisions start at the current time: they exceed those of the same cluster in an earlier
   * process, whose watches in other processes would otherwise wait for a revision in the future and miss events.
   */
  async fork(version: string, identity: ServingIdentity): Promise<ObjectStore> {
    let store = this.#stores.get(version);
    if (store === undefined) {
      store = this.#make(version, identity);
      this.#stores.set(version, store);
      store.catch(() => this.#stores.delete(version));
    }
    return (await store).fork(this.dependencies.clock.now());
  }

  async #make(version: string, identity: ServingIdentity): Promise<ObjectStore> {
    const { clock, random } = this.dependencies;
    const store = await openMemoryStore({ clock, history: { maxEvents: historyEventsMax }, secondFormBytes });
    // No client connects, so that no controller starts and the store contains nothing that identifies this cluster.
    const server = await KubernetesServer.start({
      store,
      clock,
      random,
      logger: silentLogger,
      identity,
      loops: 'atFirstRequest',
    });
    const client = new LoopbackClient(server.registry, 'kubeadm');
    for (const object of [...defaultAccounts(), ...kubeadmPolicy(), ...addOns(version)]) await create(client, object);
    await server.stop();
    await removeNamespaces(store);
    return store;
  }
}

async function create(client: LoopbackClient, object: KubeObject): Promise<void> {
  try {
    await client.create(object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/** Removes the namespaces, because every cluster creates its own. */
async function removeNamespaces(store: ObjectStore): Promise<void> {
  for (const { key, revision } of store.list({ resource: namespaceResource })) {
    await store.commit({ key, expected: revision, object: undefined });
  }
}
