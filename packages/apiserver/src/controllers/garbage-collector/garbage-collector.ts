import { type Disposable, Scope, type Timer } from '@slipway/base';
import { deepEqual, type Frozen, isReason, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import { KeyedLoop } from '../shared/keyed-loop.js';
import { LoopbackClient, type ResourceRef } from '../../registry/index.js';
import type {
  PropagationPolicy,
  ResourceDefinition,
  StorageKey,
  StoredObject,
  StoreWatch,
} from '../../contract/index.js';
import {
  type ControllerDependencies,
  controllerManagerName,
  EventRecorder,
  servedRef,
  type Sighting,
} from '../shared/index.js';
import { BoundedMap } from './bounded-map.js';
import { IncrementalFollower } from './incremental-follower.js';
import { keyText, OwnerIndex, parseKeyText, referencesOf } from './owner-index.js';
import {
  classifyOwners,
  foregroundFinalizer,
  isDeletingDependents,
  isOrphaningDependents,
  orphanFinalizer,
  type OwnerSource,
  type Owners,
} from './owners.js';

const concurrency = 20;
const deletedOwnersMax = 10_000;
const releasedAtOnce = 50;

interface Monitored {
  definition: ResourceDefinition;
  readonly watch: StoreWatch;
}

/**
 * Deletes objects without remaining owners, and implements foreground deletion and orphaning. Decisions are based on the stored
 * state at that moment; the index only selects candidates. Nothing is collected before the index is complete. The index is built
 * incrementally, so that a large number of objects does not delay the start of a server.
 */
export class GarbageCollector implements Disposable {
  readonly #dependencies: ControllerDependencies;
  readonly #client: LoopbackClient;
  readonly #events: EventRecorder;
  readonly #loop: KeyedLoop;
  readonly #scope = new Scope();
  readonly #index = new OwnerIndex();
  readonly #monitored = new Map<string, Monitored>();
  readonly #source: OwnerSource;
  /** Namespaces of deleted owners with remaining dependents, by uid of the owner. */
  readonly #deletedOwners = new BoundedMap(deletedOwnersMax);
  /** Keys of owners in foreground deletion that wait for their dependents, by uid. */
  readonly #foreground = new Map<string, StorageKey>();
  /** Objects with an owner of a kind that is not served. They are checked again when the served kinds change. */
  readonly #parked = new Set<string>();
  readonly #follower: IncrementalFollower;
  /** Objects to check once the index is complete. */
  readonly #held = new Set<string>();
  #releasing: Timer | undefined;

  constructor(dependencies: ControllerDependencies) {
    this.#dependencies = dependencies;
    this.#client = new LoopbackClient(dependencies.registry, controllerManagerName);
    this.#events = new EventRecorder(dependencies, this.#client, 'garbage-collector-controller');
    this.#source = {
      registry: dependencies.registry,
      store: dependencies.store,
      deletedFrom: (uid) => this.#deletedOwners.get(uid),
    };
    this.#follower = this.#scope.add(
      new IncrementalFollower({
        store: dependencies.store,
        clock: dependencies.clock,
        seen: (sighting) => this.#see(sighting),
        concerns: (stored) => stored.mayContain('"ownerReferences"') || stored.mayContain('"deletionTimestamp"'),
        caughtUp: () => this.#release(),
      }),
    );
    this.#loop = this.#scope.add(
      new KeyedLoop({
        name: 'garbage-collector',
        clock: dependencies.clock,
        logger: dependencies.logger,
        concurrency,
        run: (key) => this.#process(parseKeyText(key)),
      }),
    );
  }

  /** True until all objects that existed at start are indexed. Nothing is collected before. */
  get behind(): boolean {
    return this.#follower.behind;
  }

  start(): void {
    this.#scope.add(this.#dependencies.registry.onChange(() => this.#monitorServed()));
    this.#monitorServed();
  }

  async dispose(): Promise<void> {
    this.#releasing?.cancel();
    for (const { watch } of this.#monitored.values()) watch.dispose();
    this.#monitored.clear();
    await this.#scope.dispose();
  }

  #monitorServed(): void {
    const served = new Map<string, ResourceDefinition>();
    for (const definition of this.#dependencies.registry.definitions())
      if (isCollectable(definition)) served.set(definition.storageResource, definition);
    for (const [resource, monitored] of this.#monitored) if (!served.has(resource)) this.#forget(resource, monitored);
    for (const [resource, definition] of served) this.#monitor(resource, definition);
    for (const key of this.#parked) this.#enqueue(key);
    this.#parked.clear();
    if (!this.#follower.behind) this.#release();
  }

  #enqueue(key: string): void {
    if (this.#follower.behind) this.#held.add(key);
    else this.#loop.add(key);
  }

  /** Enqueues the held keys in batches, because there may be many of them and few are garbage. */
  #release(): void {
    if (this.#releasing !== undefined) return;
    let count = 0;
    for (const key of this.#held) {
      if (count >= releasedAtOnce) break;
      count += 1;
      this.#held.delete(key);
      this.#loop.add(key);
    }
    if (this.#held.size === 0) return;
    this.#releasing = this.#dependencies.clock.setTimer(0, () => {
      this.#releasing = undefined;
      if (!this.#follower.behind) this.#release();
    });
  }

  #monitor(resource: string, definition: ResourceDefinition): void {
    const known = this.#monitored.get(resource);
    if (known !== undefined) {
      known.definition = definition;
      return;
    }
    this.#monitored.set(resource, { definition, watch: this.#follower.follow(resource) });
  }

  #forget(resource: string, monitored: Monitored): void {
    monitored.watch.dispose();
    this.#monitored.delete(resource);
    for (const stored of this.#dependencies.store.list({ resource }))
      if (stored.mayContain('"ownerReferences"')) this.#index.remove(stored.key, stored.object);
  }

  #see({ key, object, previous, gone }: Sighting): void {
    const owners = object.metadata.ownerReferences;
    const changed = gone || previous === undefined || !deepEqual(previous.metadata.ownerReferences, owners);
    if (changed && previous !== undefined) this.#index.remove(key, previous);
    if (gone) {
      this.#seeDeleted(object);
      return;
    }
    if (changed) {
      this.#index.add(key, object);
      if (referencesOf(object).length > 0) this.#enqueue(keyText(key));
      if (previous !== undefined) this.#wakeOwners(previous);
    }
    this.#seeFinalizers(key, object, previous);
  }

  #seeDeleted(object: Frozen<KubeObject>): void {
    const { uid = '' } = object.metadata;
    this.#foreground.delete(uid);
    // Before the index is complete, it is unknown whether the owner has dependents.
    if (this.#follower.behind || this.#index.hasDependents(uid)) {
      this.#deletedOwners.set(uid, object.metadata.namespace ?? '');
      this.#addDependents(uid);
    }
    this.#wakeOwners(object);
  }

  #seeFinalizers(key: StorageKey, object: Frozen<KubeObject>, previous: Frozen<KubeObject> | undefined): void {
    const { uid = '' } = object.metadata;
    if (!isDeletingDependents(object)) this.#foreground.delete(uid);
    else if (!this.#foreground.has(uid)) {
      this.#foreground.set(uid, key);
      this.#addDependents(uid);
      this.#enqueue(keyText(key));
    }
    const wasOrphaning = previous !== undefined && isOrphaningDependents(previous);
    if (isOrphaningDependents(object) && !wasOrphaning) this.#enqueue(keyText(key));
  }

  #addDependents(uid: string): void {
    for (const key of this.#index.dependentsOf(uid)) this.#enqueue(key);
  }

  /** Enqueues owners in foreground deletion when their last blocking dependent is gone, not for every dependent. */
  #wakeOwners(dependent: Frozen<KubeObject>): void {
    for (const { uid } of referencesOf(dependent)) {
      const place = this.#foreground.get(uid);
      if (place !== undefined && !this.#index.isBlocked(uid)) this.#enqueue(keyText(place));
    }
  }

  async #process(key: StorageKey): Promise<void> {
    if (this.#follower.behind) {
      this.#held.add(keyText(key));
      return;
    }
    const stored = this.#dependencies.store.get(key);
    const definition = this.#monitored.get(key.resource)?.definition;
    if (stored === undefined || definition === undefined) return;
    const item: Item = { stored, ref: servedRef(definition) };
    const { metadata } = stored.object;
    if (isOrphaningDependents(stored.object)) await this.#orphanDependents(item);
    else if (isDeletingDependents(stored.object)) await this.#finishForeground(item);
    else if ((metadata.deletionTimestamp ?? '') === '' && referencesOf(stored.object).length > 0)
      await this.#evaluate(item);
  }

  async #finishForeground(item: Item): Promise<void> {
    if (!this.#index.isBlocked(uidOf(item.stored))) await this.#removeFinalizer(item, foregroundFinalizer);
  }

  async #orphanDependents(item: Item): Promise<void> {
    const uid = uidOf(item.stored);
    const dependents = [...this.#index.dependentsOf(uid)];
    await Promise.all(dependents.map((key) => this.#releaseDependent(key, uid)));
    await this.#removeFinalizer(item, orphanFinalizer);
  }

  async #releaseDependent(key: string, owner: string): Promise<void> {
    const place = parseKeyText(key);
    const stored = this.#dependencies.store.get(place);
    const definition = this.#monitored.get(place.resource)?.definition;
    if (stored === undefined || definition === undefined) return;
    await this.#removeReferences({ stored, ref: servedRef(definition) }, new Set([owner]));
  }

  async #evaluate(item: Item): Promise<void> {
    const { object, key } = item.stored;
    const owners = classifyOwners(this.#source, object);
    if (owners === 'impossible') return;
    if (owners === 'unknown') {
      this.#parked.add(keyText(key));
      return;
    }
    await this.#reportForeignOwners(object, owners.absent);
    if (owners.solid.length > 0) await this.#keep(item, owners);
    else await this.#collect(item, owners);
  }

  async #keep(item: Item, owners: Owners): Promise<void> {
    const useless = [...owners.absent, ...owners.waiting].map(({ uid }) => uid);
    if (useless.length > 0) await this.#removeReferences(item, new Set(useless));
  }

  async #collect(item: Item, owners: Owners): Promise<void> {
    const uid = uidOf(item.stored);
    if (owners.waiting.length > 0 && this.#index.hasDependents(uid)) {
      // Break ownership cycles: unblock the owner instead of waiting.
      if (this.#someDependentIsDeleting(uid)) await this.#unblockOwners(item);
      else await this.#delete(item, 'Foreground');
      return;
    }
    const finalizers = item.stored.object.metadata.finalizers ?? [];
    if (finalizers.includes(orphanFinalizer)) await this.#delete(item, 'Orphan');
    else await this.#delete(item, finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background');
  }

  #someDependentIsDeleting(uid: string): boolean {
    for (const key of this.#index.dependentsOf(uid)) {
      const dependent = this.#dependencies.store.get(parseKeyText(key));
      if (dependent !== undefined && isDeletingDependents(dependent.object)) return true;
    }
    return false;
  }

  async #unblockOwners(item: Item): Promise<void> {
    const references = referencesOf(item.stored.object).map((reference) => ({
      ...reference,
      blockOwnerDeletion: false,
    }));
    await this.#patchMetadata(item, { ownerReferences: references });
    const stored = this.#dependencies.store.get(item.stored.key);
    if (stored !== undefined) await this.#delete({ ...item, stored }, 'Foreground');
  }

  async #delete({ stored, ref }: Item, propagationPolicy: PropagationPolicy): Promise<void> {
    const { uid = '', resourceVersion = '' } = stored.object.metadata;
    const { namespace, name } = stored.key;
    // Another client may adopt the object concurrently, so the deletion has preconditions on resourceVersion and uid.
    const options = { propagationPolicy, preconditions: { uid, resourceVersion } };
    await this.#client.delete(ref, namespace, name, options);
  }

  async #removeReferences(item: Item, owners: ReadonlySet<string>): Promise<void> {
    const references = referencesOf(item.stored.object).filter(({ uid }) => !owners.has(uid));
    await this.#patchMetadata(item, { ownerReferences: references.length === 0 ? null : [...references] });
  }

  async #removeFinalizer(item: Item, finalizer: string): Promise<void> {
    const finalizers = (item.stored.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    await this.#patchMetadata(item, { finalizers: finalizers.length === 0 ? null : finalizers });
  }

  async #patchMetadata({ stored, ref }: Item, metadata: MetadataPatch): Promise<void> {
    const { uid = '', resourceVersion = '' } = stored.object.metadata;
    const { namespace, name } = stored.key;
    const patch = { metadata: { uid, resourceVersion, ...metadata } };
    try {
      await this.#client.patch(ref, namespace, name, patch as Parameters<LoopbackClient['patch']>[3]);
    } catch (error) {
      // An object that was deleted in the meantime needs no change.
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  /** Whether the owner exists in another namespace than its dependent. Owners whose deletion was observed do not exist. */
  #isElsewhere({ apiVersion, kind, name, uid }: Frozen<OwnerReference>): boolean {
    if (this.#deletedOwners.get(uid) !== undefined) return false;
    const { group, version } = parseApiVersion(apiVersion);
    const definition = this.#dependencies.registry.endpointForKind(group, version, kind)?.definition;
    if (definition?.namespaced !== true) return false;
    const all = this.#dependencies.store.list({ resource: definition.storageResource });
    return all.some(({ key }, index) => key.name === name && all[index]?.object.metadata.uid === uid);
  }

  async #reportForeignOwners(object: Frozen<KubeObject>, absent: Owners['absent']): Promise<void> {
    const { namespace = '' } = object.metadata;
    for (const reference of absent) {
      if (!this.#isElsewhere(reference)) continue;
      const { apiVersion, kind, name, uid } = reference;
      const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
      await this.#events.record(object, {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${owner} does not exist in namespace "${namespace}"`,
      });
    }
  }
}

interface Item {
  readonly stored: StoredObject;
  readonly ref: ResourceRef;
}

type MetadataPatch =
  | { readonly ownerReferences: readonly Frozen<OwnerReference>[] | null }
  | { readonly finalizers: readonly string[] | null };

function uidOf(stored: StoredObject): string {
  return stored.object.metadata.uid ?? '';
}

/** Whether the collector handles this resource. Events are excluded: they are numerous, expire by themselves and own nothing. */
function isCollectable(definition: ResourceDefinition): boolean {
  const { verbs, createOnly, storageResource } = definition;
  if (createOnly !== undefined || storageResource === 'events') return false;
  return ['delete', 'list', 'watch'].every((verb) => (verbs as readonly string[]).includes(verb));
}
