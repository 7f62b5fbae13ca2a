import { sleep } from '@slipway/base';
import { conflict, expired, type Frozen, internalError, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  type ApplyOptions,
  type Client,
  ConnectionError,
  type DeleteOptions,
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
import type { RequestFaults } from './request-faults.js';
import type { SimulatedProcess } from './simulated-process.js';

export type WriteVerb = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAll' | 'createSubresource';

/** A write that the server has executed, whether or not its response arrived. */
export interface ExecutedWrite {
  readonly process: string;
  readonly verb: WriteVerb;
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource: string;
  /** Undefined if the object was deleted. */
  readonly object: Frozen<KubeObject> | undefined;
  /** False if the write changed nothing. */
  readonly isChange: boolean;
}

/** The current API server. */
export interface ReachableServer {
  readonly process: Pick<SimulatedProcess, 'onDeath'>;
  readonly client: Client;
  readonly store: { readonly revision: number };
}

export interface ProcessClientOptions {
  readonly process: SimulatedProcess;
  /** Returns the current server, or undefined while it is down. */
  readonly server: () => ReachableServer | undefined;
  readonly faults: RequestFaults;
  readonly executed: (write: ExecutedWrite) => void;
  /** Called when the response to a write has reached the process. */
  readonly answered?: (write: ExecutedWrite) => void;
}

interface Target {
  readonly verb: WriteVerb | 'get' | 'list';
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly subresource?: string;
  readonly signal?: AbortSignal | undefined;
  readonly dryRun?: boolean | undefined;
}

const noKey: ObjectKey = { namespace: '', name: '' };
const canConflict: ReadonlySet<string> = new Set(['update', 'patch', 'apply']);

/** HTTP/2 pings detect a dead connection after this time and close it. */
const silenceMs = 45_000;

/**
 * The connection of a simulated process to an API server, over a network that loses, delays and repeats messages. All requests
 * share one connection, as with HTTP/2: watches notice that the server lost power only when another request on the connection
 * fails, or after `silenceMs`.
 */
export class ProcessClient implements Client {
  readonly sharesObjects = true;
  /** By kind, the revision up to which this process cannot resume a watch, because the history was lost. */
  readonly #lostUntil = new Map<string, number>();
  readonly #watches = new Set<{ readonly server: ReachableServer; readonly cut: () => void }>();

  constructor(private readonly options: ProcessClientOptions) {}

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: RequestOptions): Promise<Frozen<T>> {
    return this.#request('get', resource, key, options, (client) => client.get(resource, key, options));
  }

  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return this.#request('list', resource, noKey, options, (client) => client.list(resource, options));
  }

  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>> {
    return this.#request('create', resource, keyOf(object), options, (client) =>
      client.create(resource, object, options),
    );
  }

  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>> {
    return this.#request('update', resource, keyOf(object), options, (client) =>
      client.update(resource, object, options),
    );
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options?: WriteOptions,
  ): Promise<Frozen<T>> {
    return this.#request('patch', resource, key, options, (client) => client.patch(resource, key, body, options));
  }

  apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>> {
    return this.#request('apply', resource, key, options, (client) =>
      client.apply(resource, key, configuration, options),
    );
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Frozen<T> | undefined> {
    return this.#request('delete', resource, key, options, (client) => client.delete(resource, key, options));
  }

  deleteAll<T extends KubeObject>(resource: Resource<T>, list: ListOptions, options?: DeleteOptions): Promise<void> {
    const signal = options?.signal ?? list.signal;
    return this.#request('deleteAll', resource, noKey, { signal }, (client) =>
      client.deleteAll(resource, list, options),
    );
  }

  getSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    options?: RequestOptions,
  ): Promise<JsonObject> {
    return this.#request('get', resource, key, options, (client) =>
      client.getSubresource(resource, key, subresource, options),
    );
  }

  createSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    body: JsonObject,
    options?: WriteOptions,
  ): Promise<JsonObject> {
    return this.#request('createSubresource', resource, key, { ...options, subresource }, (client) =>
      client.createSubresource(resource, key, subresource, body, options),
    );
  }

  async resourceFor(groupKind: Parameters<Client['resourceFor']>[0]): Promise<Resource | undefined> {
    await this.options.process.awake();
    return this.#server().client.resourceFor(groupKind);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<readonly WatchEvent<T>[]> {
    const { process, faults } = this.options;
    await process.awake();
    const connection = new AbortController();
    const cut = (): void => connection.abort(new Error('the connection is cut'));
    const { signal } = options;
    if (signal?.aborted === true) return;
    signal?.addEventListener('abort', cut, { once: true });
    const forget = process.onDeath(cut);
    const server = this.#server();
    const watch = { server, cut };
    this.#watches.add(watch);
    const forgetServer = server.process.onDeath(() => void process.clock.setTimer(silenceMs, cut));
    let isLate = false;
    try {
      this.#checkHistory(resource, options);
      for await (const batch of server.client.watch(resource, { ...options, signal: connection.signal })) {
        // A batch after a late one is not delayed again: it has already waited behind the late one.
        const delayMs: number = isLate ? 0 : faults.batchDelayMs();
        isLate = delayMs > 0;
        if (isLate) await sleep(process.clock, delayMs);
        await process.awake();
        if (connection.signal.aborted) return;
        const fault = faults.forBatch();
        if (fault === 'break') throw new ConnectionError('reset', 'the watch was cut');
        if (fault === 'expired') {
          this.#lostUntil.set(resource.kind, this.#server().store.revision);
          throw expired('too old resource version');
        }
        yield batch;
        if (fault === 'duplicate') yield batch.filter(({ type }) => type !== 'BOOKMARK');
      }
      // The end of a watch is delivered like any other response: later to a stopped process, never to a killed one.
      await process.awake();
    } finally {
      this.#watches.delete(watch);
      forgetServer();
      forget();
      signal?.removeEventListener('abort', cut);
      cut();
    }
  }

  /** Rejects a watch that would resume in lost history. The process has to list again. */
  #checkHistory({ kind }: Resource, { resourceVersion = '' }: WatchOptions): void {
    if (resourceVersion !== '' && Number(resourceVersion) < (this.#lostUntil.get(kind) ?? 0))
      throw expired('too old resource version');
  }

  async #request<T>(
    verb: Target['verb'],
    resource: Resource,
    key: ObjectKey,
    options: (WriteOptions & RequestOptions) | undefined,
    call: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { process } = this.options;
    options?.signal?.throwIfAborted();
    const { subresource = '', signal, dryRun } = options ?? {};
    const target: Target = { verb, resource, key, subresource, signal, dryRun };
    await process.awake();
    let write: ExecutedWrite | undefined;
    const sent = this.#send(target, call, (noted) => (write = noted));
    return process.receive(sent, () => write !== undefined && this.options.answered?.(write));
  }

  async #send<T>(
    target: Target,
    call: (client: Client) => Promise<T>,
    executed: (write: ExecutedWrite) => void,
  ): Promise<T> {
    const { faults, process } = this.options;
    const { verb, resource, key, signal } = target;
    const isWrite = verb !== 'get' && verb !== 'list';
    const delayMs = faults.requestDelayMs();
    if (delayMs > 0) await sleep(process.clock, delayMs, signal === undefined ? {} : { signal });
    const fault = faults.forRequest(isWrite, canConflict.has(verb));
    if (fault === 'conflict') throw conflict({ group: resource.group, resource: resource.plural }, key.name);
    if (fault === 'serverError') throw internalError('etcdserver: request timed out');
    const { client, store } = this.#server();
    const { revision } = store;
    const result = await call(client);
    if (isWrite && target.dryRun !== true) executed(this.#note(target, verb, result, revision));
    if (fault === 'lostAnswer') throw new ConnectionError('timeout', 'the response did not arrive');
    return result;
  }

  #note(target: Target, verb: WriteVerb, result: unknown, before: number): ExecutedWrite {
    const object = isObject(result) ? result : undefined;
    const key = object === undefined ? target.key : keyOf(object as KubeObject);
    const { resource, subresource = '' } = target;
    const isChange = object === undefined || Number(object.metadata.resourceVersion) > before;
    const process = this.options.process.name;
    const write = { process, verb, resource, key, subresource, object, isChange };
    this.options.executed(write);
    return write;
  }

  #server(): ReachableServer {
    const server = this.options.server();
    for (const watch of this.#watches) if (watch.server !== server) watch.cut();
    if (server === undefined) throw new ConnectionError('unreachable', 'cannot reach the API server', { unsent: true });
    return server;
  }
}

function isObject(value: unknown): value is Frozen<KubeObject> {
  return typeof value === 'object' && value !== null && 'metadata' in value;
}

function keyOf(object: KubeObject): ObjectKey {
  const { namespace = '', name = '' } = object.metadata;
  return { namespace, name };
}
