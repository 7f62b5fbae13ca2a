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
import type { WriteResult } from '../change/change-executor.js';
import { anySignal, type Fence } from './fence.js';

/** A client that reads freely and writes only while the fence is open. */
export class FencedClient implements Client {
  readonly #inner: Client;
  readonly #fence: Fence;
  readonly #onWritten: (result: WriteResult) => void;

  /** `onWritten` hears of every object that was written. */
  constructor(inner: Client, fence: Fence, onWritten: (result: WriteResult) => void = () => undefined) {
    this.#inner = inner;
    this.#fence = fence;
    this.#onWritten = onWritten;
  }

  get sharesObjects(): boolean {
    return this.#inner.sharesObjects === true;
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
    const result = await this.#inner.create(resource, object, this.#admit(options));
    return this.#note(resource, result, options);
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>> {
    const result = await this.#inner.update(resource, object, this.#admit(options));
    return this.#note(resource, result, options);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options?: WriteOptions,
  ): Promise<Frozen<T>> {
    const result = await this.#inner.patch(resource, key, body, this.#admit(options));
    return this.#note(resource, result, options);
  }

  async apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>> {
    const result = await this.#inner.apply(resource, key, configuration, this.#admit(options));
    return this.#note(resource, result, options);
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Frozen<T> | undefined> {
    const result = await this.#inner.delete(resource, key, this.#admit(options));
    const object: Frozen<KubeObject> | undefined = result;
    if (options?.dryRun !== true) this.#onWritten({ resource: resource, key, object, isDeletion: true });
    return result;
  }

  async deleteAll<T extends KubeObject>(
    resource: Resource<T>,
    list: ListOptions,
    options?: DeleteOptions,
  ): Promise<void> {
    return this.#inner.deleteAll(resource, list, this.#admit(options));
  }

  getSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    options?: RequestOptions,
  ): Promise<JsonObject> {
    return this.#inner.getSubresource(resource, key, subresource, options);
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

  #note<T extends KubeObject>(resource: Resource<T>, result: Frozen<T>, options: WriteOptions | undefined): Frozen<T> {
    const object: Frozen<KubeObject> = result;
    const { namespace = '', name = '' } = object.metadata;
    if (options?.dryRun !== true)
      this.#onWritten({ resource: resource, key: { namespace, name }, object, isDeletion: false });
    return result;
  }

  /** Checks at the last moment before the request leaves, and ties it to the fence. */
  #admit<O extends RequestOptions>(options: O | undefined): O {
    this.#fence.check();
    const signal = anySignal(options?.signal, this.#fence.signal);
    return { ...options, ...(signal === undefined ? {} : { signal }) } as O;
  }
}
