import {
  type Caller,
  loopbackUser,
  type Registry,
  type ResourceEndpoint,
  type UserInfo,
  type WatchEvent as ServerWatchEvent,
} from '@slipway/apiserver';
import {
  asJson,
  asObject,
  deepFreeze,
  type Frozen,
  type JsonObject,
  type KubeObject,
  type Status,
  unknownResource,
} from '@slipway/kube';
import {
  type ApplyOptions,
  checkCreateTarget,
  checkObjectTarget,
  type Client,
  type DeleteOptions,
  isTerminating,
  type ListOptions,
  type ObjectKey,
  type ObjectList,
  type PatchBody,
  type RequestOptions,
  type Resource,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@slipway/runtime';
import { takeOver } from './take-over.js';

export interface InProcessClientOptions {
  readonly registry: Registry;
  /** User that the server records for the writes. In-process callers bypass authorization. */
  readonly user?: UserInfo;
  /** Default field manager of writes. */
  readonly userAgent?: string;
  readonly onWarning?: (text: string) => void;
}

const neverAborted = new AbortController().signal;

/** Calls the API server in process, without serialisation or copies. Results and errors are the same as over the network. */
export class InProcessClient implements Client {
  readonly sharesObjects = true;
  readonly #registry: Registry;
  readonly #caller: Caller;

  constructor(options: InProcessClientOptions) {
    this.#registry = options.registry;
    this.#caller = {
      user: options.user ?? loopbackUser,
      userAgent: options.userAgent ?? 'slipway',
      signal: neverAborted,
      warn: options.onWarning ?? (() => undefined),
      takesWarnings: options.onWarning !== undefined,
    };
  }

  async get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<Frozen<T>> {
    checkObjectTarget(resource, key);
    const { object } = await this.#endpoint(resource).get(this.#as(options), key.namespace, key.name);
    return object as Frozen<T>;
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { signal: _signal, namespace = '', metadataOnly: _metadataOnly, ...selection } = options;
    const answer = await this.#endpoint(resource).list(this.#as(options), namespace, selection);
    const items = answer.items.map((item) => item.object as Frozen<T>);
    const list = { items, resourceVersion: answer.resourceVersion };
    return answer.continue === '' ? list : { ...list, continue: answer.continue };
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<Frozen<T>> {
    const { namespace = '' } = object.metadata;
    checkCreateTarget(resource, namespace);
    const endpoint = this.#endpoint(resource);
    const caller = this.#as(options);
    const body = takeOver(object);
    if (endpoint.definition.createOnly !== undefined) {
      const target = { namespace, name: '', subresource: '' };
      const answer = await endpoint.createOnly(caller, target, body, writeOptions(options));
      return deepFreeze(asObject(answer.object)) as Frozen<T>;
    }
    const { answer } = await endpoint.create(
      caller,
      namespace,
      { value: body, duplicateKeys: [] },
      writeOptions(options),
    );
    return answer.object as Frozen<T>;
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<Frozen<T>> {
    const { namespace = '', name = '' } = object.metadata;
    checkObjectTarget(resource, { namespace, name });
    const body = { value: takeOver(object), duplicateKeys: [] };
    const { answer } = await this.#endpoint(resource).update(
      this.#as(options),
      namespace,
      name,
      body,
      writeOptions(options),
      options.subresource ?? '',
    );
    return answer.object as Frozen<T>;
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options: WriteOptions = {},
  ): Promise<Frozen<T>> {
    return this.#patch<T>(resource, key, { type: body.type, value: takeOver(body.patch) }, options);
  }

  async apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>> {
    return this.#patch<T>(resource, key, { type: 'apply', value: takeOver(configuration) }, options, options.force);
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Frozen<T> | undefined> {
    checkObjectTarget(resource, key);
    const { signal: _signal, ...rest } = options;
    const answer = await this.#endpoint(resource).delete(this.#as(options), key.namespace, key.name, rest);
    if (answer.kind === 'removed') return undefined;
    const object = answer.answer.object as Frozen<T>;
    return isTerminating(object) ? object : undefined;
  }

  async deleteAll<T extends KubeObject>(
    resource: Resource<T>,
    list: ListOptions,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { signal, namespace = '', metadataOnly: _metadataOnly, ...selection } = list;
    const { signal: own, ...rest } = options;
    const caller = this.#as({ signal: own ?? signal });
    await this.#endpoint(resource).deleteCollection(caller, namespace, selection, rest);
  }

  async getSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    checkObjectTarget(resource, key);
    const endpoint = this.#endpoint(resource);
    const { object } = await endpoint.getSubresource(this.#as(options), key.namespace, key.name, subresource);
    return asJson(object);
  }

  async createSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    body: JsonObject,
    options: WriteOptions = {},
  ): Promise<JsonObject> {
    checkObjectTarget(resource, key);
    const target = { ...key, subresource };
    const answer = await this.#endpoint(resource).createOnly(
      this.#as(options),
      target,
      takeOver(body),
      writeOptions(options),
    );
    return deepFreeze(answer.object);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<readonly WatchEvent<T>[]> {
    const { signal = neverAborted, namespace = '', metadataOnly: _metadataOnly, ...selection } = options;
    if (signal.aborted) return;
    const stream = await this.#endpoint(resource).watch(this.#as(options), namespace, {
      ...selection,
      allowBookmarks: true,
      ...(options.sendInitialEvents === true ? { resourceVersionMatch: 'NotOlderThan' } : {}),
    });
    const stop = (): void => stream.dispose();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
        // Drop events that were pending when the reader aborted.
        if (signal.aborted) return;
        yield batch.map((event) => toClientEvent<T>(event));
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stream.dispose();
    }
  }

  async resourceFor(groupKind: {
    readonly group: string;
    readonly kind: string;
    readonly version?: string;
  }): Promise<Resource | undefined> {
    const { group, kind, version } = groupKind;
    const definition = this.#registry.definitions().find((one) => one.group === group && one.kind === kind);
    const served = definition?.versions.find((one) => one.served && (version === undefined || one.name === version));
    if (definition === undefined || served === undefined) return undefined;
    return { group, version: served.name, kind, plural: definition.plural, namespaced: definition.namespaced };
  }

  async #patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: { readonly type: 'merge' | 'json' | 'apply'; readonly value: unknown },
    options: WriteOptions,
    force?: boolean,
  ): Promise<Frozen<T>> {
    checkObjectTarget(resource, key);
    const { answer } = await this.#endpoint(resource).patch(
      this.#as(options),
      key.namespace,
      key.name,
      { ...patch, duplicateKeys: [] },
      { ...writeOptions(options), ...(force === undefined ? {} : { force }) },
      options.subresource ?? '',
    );
    return answer.object as Frozen<T>;
  }

  #endpoint(resource: Resource): ResourceEndpoint {
    const endpoint = this.#registry.endpoint(resource.group, resource.version, resource.plural);
    if (endpoint === undefined) throw unknownResource();
    return endpoint;
  }

  #as(options: RequestOptions): Caller {
    options.signal?.throwIfAborted();
    return options.signal === undefined ? this.#caller : { ...this.#caller, signal: options.signal };
  }
}

function writeOptions(options: WriteOptions): { dryRun?: boolean; fieldManager?: string } {
  const { dryRun, fieldManager } = options;
  return {
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(fieldManager === undefined ? {} : { fieldManager }),
  };
}

function toClientEvent<T extends KubeObject>(event: ServerWatchEvent): WatchEvent<T> {
  if (event.type === 'BOOKMARK') return event;
  if (event.type === 'ERROR') return { type: 'ERROR', status: event.status as unknown as Status };
  return { type: event.type, object: event.answer.object as Frozen<T> };
}
