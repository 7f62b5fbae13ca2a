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

export interface TemplateWorld {
  readonly clock: Clock;
  readonly random: Random;
}

/** A cluster sees some dozens of changes; who was away for more of them lists again. */
const historyEventsMax = 500;
/** Of all clusters together: they share what is held twice. */
const secondFormBytes = 4 * 1_048_576;

/**
 * What a cluster holds right after `kubeadm init`, made once for each Kubernetes version. Clusters begin as forks of it:
 * their hundred roles and bindings are the same objects in memory, however many clusters there are.
 */
export class WorkloadTemplates {
  readonly #stores = new Map<string, Promise<ObjectStore>>();

  constructor(private readonly world: TemplateWorld) {}

  async fork(version: string, identity: ServingIdentity): Promise<ObjectStore> {
    let store = this.#stores.get(version);
    if (store === undefined) {
      store = this.#make(version, identity);
      this.#stores.set(version, store);
      store.catch(() => this.#stores.delete(version));
    }
    return (await store).fork();
  }

  async #make(version: string, identity: ServingIdentity): Promise<ObjectStore> {
    const { clock, random } = this.world;
    const store = await openMemoryStore({ clock, history: { maxEvents: historyEventsMax }, secondFormBytes });
    // Nobody connects, so that no loop starts and nothing of this one cluster's identity comes into the store.
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

/** Every cluster makes its own. */
async function removeNamespaces(store: ObjectStore): Promise<void> {
  for (const { key, revision } of store.list({ resource: namespaceResource })) {
    await store.commit({ key, expected: revision, object: undefined });
  }
}
