import type { JsonObject, KubeObject, Frozen } from '@slipway/kube';
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchBody,
  RequestOptions,
  Resource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../client/index.js';
import { anySignal, type Fence } from './fence.js';

/** A client that reads freely and writes only while the fence is open. */
export class FencedClient implements Client {
  readonly #inner: Client;
  readonly #fence: Fence;

  constructor(inner: Client, fence: Fence) {
    this.#inner = inner;
    this.#fence = fence;
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: RequestOptions): Promise<Frozen<T>> {
    return this.#inner.get(resource, key, options);
  }

  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return this.#inner.list(resource, options);
  }

  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): AsyncIterable<readonly WatchEvent<T>[]> {
    return this.#inner.watch(resource, options);
  }

  resourceFor(groupKind: Parameters<Client['resourceFor']>[0]): Promise<Resource | undefined> {
    return this.#inner.resourceFor(groupKind);
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>> {
    return this.#inner.create(resource, object, this.#admit(options));
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>> {
    return this.#inner.update(resource, object, this.#admit(options));
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options?: WriteOptions,
  ): Promise<Frozen<T>> {
    return this.#inner.patch(resource, key, body, this.#admit(options));
  }

  async apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>> {
    return this.#inner.apply(resource, key, configuration, this.#admit(options));
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Frozen<T> | undefined> {
    return this.#inner.delete(resource, key, this.#admit(options));
  }

  async deleteAll<T extends KubeObject>(
    resource: Resource<T>,
    list: ListOptions,
    options?: DeleteOptions,
  ): Promise<void> {
    return this.#inner.deleteAll(resource, list, this.#admit(options));
  }

  async createSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    body: JsonObject,
    options?: WriteOptions,
  ): Promise<JsonObject> {
    return this.#inner.createSubresource(resource, key, subresource, body, this.#admit(options));
  }

  /** Checks at the last moment before the request leaves, and ties it to the fence. */
  #admit<O extends RequestOptions>(options: O | undefined): O {
    this.#fence.check();
    const signal = anySignal(options?.signal, this.#fence.signal);
    return { ...options, ...(signal === undefined ? {} : { signal }) } as O;
  }
}
