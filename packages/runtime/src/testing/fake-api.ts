import type { Clock } from '@slipway/base';
import {
  alreadyExists,
  applyMergePatch,
  asJson,
  cloneJson,
  conflict,
  deepEqual,
  deepFreeze,
  formatTime,
  type Frozen,
  type JsonObject,
  type KubeObject,
  notFound,
} from '@slipway/kube';
import type { Client, ObjectKey, Resource, WriteOptions } from '../client/index.js';

export interface FakeWrite {
  readonly identity: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource: string;
  readonly body?: JsonObject;
}

export interface FakeChange {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly resource: string;
  readonly object: Frozen<KubeObject>;
  readonly previous?: Frozen<KubeObject>;
}

/** The connection of one client to the fake server. Tests use it to inject delays, pauses and losses. */
export type Link = <T>(serve: () => T, options: { readonly signal?: AbortSignal }) => Promise<T>;

const directLink: Link = async (serve) => serve();

/** A minimal API server for tests: resourceVersions, conflicts, generations, status subresource, finalizers, watch events. */
export class FakeApi {
  readonly writes: FakeWrite[] = [];
  readonly #clock: Clock;
  readonly #objects = new Map<string, Frozen<KubeObject>>();
  readonly #listeners = new Set<(change: FakeChange) => void>();
  #version = 0;
  /** Called before each write. May throw to reject the write. */
  onWrite: (write: FakeWrite) => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  listen(listener: (change: FakeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  objectsOf(resource: Resource): Frozen<KubeObject>[] {
    const prefix = `${resourceName(resource)} `;
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object);
  }

  find(resource: Resource, key: ObjectKey): Frozen<KubeObject> | undefined {
    return this.#objects.get(idOf(resource, key));
  }

  /** Sends the same event again to all watchers, as a resync does. */
  announce(change: FakeChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  client(identity = 'test', link: Link = directLink): Client {
    return fakeClient(this, identity, link);
  }

  get(resource: Resource, key: ObjectKey): Frozen<KubeObject> {
    const found = this.find(resource, key);
    if (found === undefined) throw notFound({ group: resource.group, resource: resource.plural }, key.name);
    return found;
  }

  create(identity: string, resource: Resource, given: KubeObject): Frozen<KubeObject> {
    const object = cloneJson(given) as KubeObject;
    const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
    this.#note({ identity, verb: 'create', resource, key, subresource: '', body: asJson(object) });
    if (this.find(resource, key) !== undefined)
      throw alreadyExists({ group: resource.group, resource: resource.plural }, key.name);
    object.metadata.uid = `uid-${this.#version + 1}`;
    object.metadata.generation = 1;
    object.metadata.creationTimestamp = formatTime(this.#clock.now());
    return this.#store(resource, key, object, undefined);
  }

  replace(
    write: Omit<FakeWrite, 'verb'> & { readonly verb: 'update' | 'patch' },
    change: (object: KubeObject) => KubeObject,
  ): Frozen<KubeObject> {
    const { resource, key, subresource } = write;
    this.#note(write);
    const previous = this.get(resource, key);
    const desired = change(cloneJson(previous) as KubeObject);
    if (
      (desired.metadata.resourceVersion ?? '') !== '' &&
      desired.metadata.resourceVersion !== previous.metadata.resourceVersion
    )
      throw conflict({ group: resource.group, resource: resource.plural }, key.name);
    const next = mergeBySubresource(previous, desired, subresource);
    if (deepEqual(next, previous)) return previous;
    if (next.metadata.deletionTimestamp && (next.metadata.finalizers ?? []).length === 0)
      return this.#drop(resource, key);
    return this.#store(resource, key, next, previous);
  }

  delete(identity: string, resource: Resource, key: ObjectKey): Frozen<KubeObject> | undefined {
    this.#note({ identity, verb: 'delete', resource, key, subresource: '' });
    const previous = this.get(resource, key);
    if ((previous.metadata.finalizers ?? []).length === 0) {
      this.#drop(resource, key);
      return undefined;
    }
    const next = cloneJson(previous) as KubeObject;
    next.metadata.deletionTimestamp ??= formatTime(this.#clock.now());
    return this.#store(resource, key, next, previous);
  }

  #note(write: FakeWrite): void {
    this.onWrite(write);
    this.writes.push(write);
  }

  #store(
    resource: Resource,
    key: ObjectKey,
    next: KubeObject,
    previous: Frozen<KubeObject> | undefined,
  ): Frozen<KubeObject> {
    this.#version += 1;
    next.metadata.resourceVersion = String(this.#version);
    const object = deepFreeze(next);
    this.#objects.set(idOf(resource, key), object);
    const name = resourceName(resource);
    this.announce(
      previous === undefined
        ? { type: 'added', resource: name, object }
        : { type: 'updated', resource: name, object, previous },
    );
    return object;
  }

  #drop(resource: Resource, key: ObjectKey): Frozen<KubeObject> {
    const object = this.get(resource, key);
    this.#version += 1;
    this.#objects.delete(idOf(resource, key));
    this.announce({ type: 'deleted', resource: resourceName(resource), object });
    return object;
  }
}

export function resourceName(resource: Resource): string {
  return `${resource.plural}.${resource.group}`;
}

function idOf(resource: Resource, key: ObjectKey): string {
  return `${resourceName(resource)} ${key.namespace}/${key.name}`;
}

function mergeBySubresource(previous: Frozen<KubeObject>, desired: KubeObject, subresource: string): KubeObject {
  const next = cloneJson(previous) as KubeObject;
  if (subresource === 'status') {
    next['status'] = desired['status'];
    return next;
  }
  const { status: _ignored, ...rest } = desired;
  const merged = { ...rest, ...(previous['status'] === undefined ? {} : { status: next['status'] }) } as KubeObject;
  merged.metadata = { ...desired.metadata, resourceVersion: previous.metadata.resourceVersion ?? '' };
  if (!deepEqual(previous['spec'], desired['spec']))
    merged.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  return merged;
}

function created(key: ObjectKey, configuration: JsonObject): KubeObject {
  const object = cloneJson(configuration) as KubeObject;
  return { ...object, metadata: { ...object.metadata, ...key } };
}

function fakeClient(api: FakeApi, identity: string, link: Link): Client {
  const unsupported = (): never => {
    throw new Error('the fake API does not support this request');
  };
  const write = (
    verb: 'update' | 'patch',
    resource: Resource,
    key: ObjectKey,
    body: JsonObject,
    options?: WriteOptions,
  ) => ({
    identity,
    verb,
    resource,
    key,
    subresource: options?.subresource ?? '',
    body,
  });
  const client = {
    get: (resource: Resource, key: ObjectKey, options = {}) => link(() => api.get(resource, key), options),
    list: (resource: Resource, options = {}) =>
      link(() => ({ items: api.objectsOf(resource), resourceVersion: '1' }), options),
    create: (resource: Resource, object: KubeObject, options = {}) =>
      link(() => api.create(identity, resource, object), options),
    update: (resource: Resource, object: KubeObject, options: WriteOptions = {}) => {
      const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
      return link(() => api.replace(write('update', resource, key, asJson(object), options), () => object), options);
    },
    patch: (resource: Resource, key: ObjectKey, body: { patch: JsonObject }, options: WriteOptions = {}) =>
      link(
        () =>
          api.replace(write('patch', resource, key, body.patch, options), (object) => {
            // Skip the conflict check for a patch without a resourceVersion.
            object.metadata.resourceVersion = '';
            applyMergePatch(asJson(object), body.patch);
            return object;
          }),
        options,
      ),
    delete: (resource: Resource, key: ObjectKey, options = {}) =>
      link(() => api.delete(identity, resource, key), options),
    // Unlike a real server, does not track field managers: fields that an earlier apply set and this one omits remain.
    apply: (resource: Resource, key: ObjectKey, configuration: JsonObject, options: WriteOptions = {}) =>
      link(() => {
        if (api.find(resource, key) === undefined) return api.create(identity, resource, created(key, configuration));
        return api.replace(write('patch', resource, key, configuration, options), (object) => {
          object.metadata.resourceVersion = '';
          applyMergePatch(asJson(object), configuration);
          return object;
        });
      }, options),
    deleteAll: unsupported,
    getSubresource: unsupported,
    createSubresource: unsupported,
    watch: unsupported,
    resourceFor: unsupported,
  };
  return client as unknown as Client;
}
