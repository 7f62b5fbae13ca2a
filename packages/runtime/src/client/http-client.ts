import type { Duplex } from 'node:stream';
import { type Clock, type Random, systemClock, systemRandom } from '@slipway/base';
import {
  deepFreeze,
  type Frozen,
  type JsonObject,
  type KubeObject,
  parseJsonValue,
  stringifyJson,
} from '@slipway/kube';
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchBody,
  RequestOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.js';
import type { ConnectionConfig } from './connection-config.js';
import { createCredentials } from './credentials/credentials.js';
import { Discovery } from './discovery.js';
import { LinkedSignal } from './linked-signal.js';
import {
  checkCreateTarget,
  checkObjectTarget,
  objectPath,
  type PathTarget,
  type QueryValue,
  withQuery,
} from './object-path.js';
import { openPortForward } from './port-forward.js';
import { type RateLimit, RateLimiter } from './rate-limiter.js';
import { type ApiRequest, Requester } from './requester.js';
import type { Resource } from './resource.js';
import { isStatus } from './status-from-response.js';
import { ServerTransport } from './transport/server-transport.js';
import type { Transport } from './transport/transport.js';
import { WatchDecoder } from './watch-decoder.js';

export interface HttpClientOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** User agent of the requests. Its first word is the default field manager of writes. */
  readonly userAgent?: string;
  readonly requestTimeoutMs?: number;
  /** Rate limit of requests. There is none by default: API Priority and Fairness on the server is better suited. */
  readonly rateLimit?: RateLimit;
  readonly onWarning?: (text: string) => void;
  /** Transport to use instead of connections to the server, for tests. */
  readonly transport?: Transport;
}

interface RawOptions extends RequestOptions {
  readonly timeoutMs?: number;
  /** Accept header to send, for example to request a Table. */
  readonly accept?: string;
}

export interface HttpClient extends Client {
  readonly server: string;
  /** Returns the body of a non-resource path such as /version or /livez. */
  getRaw(path: string, options?: RawOptions): Promise<string>;
  /** Opens a stream to a port of a Pod. The signal ends the stream, also while it is open. */
  portForward(pod: ObjectKey, port: number, options?: RequestOptions): Promise<Duplex>;
  /** Closes all connections, which fails requests in progress. */
  close(): void;
}

/** Slightly above the server's request timeout: the server's own error is more specific than a client timeout. */
const requestTimeoutMsDefault = 65_000;
const watchSecondsMin = 300;
const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export function createHttpClient(config: ConnectionConfig, options: HttpClientOptions = {}): HttpClient {
  return new ApiClient(config, options);
}

class ApiClient implements HttpClient {
  readonly server: string;
  readonly #basePath: string;
  readonly #transport: Transport;
  readonly #requester: Requester;
  readonly #random: Random;
  readonly #compress: boolean;
  readonly #discovery: Discovery;

  constructor(config: ConnectionConfig, options: HttpClientOptions) {
    const clock = options.clock ?? systemClock;
    const url = new URL(config.server);
    this.server = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#random = options.random ?? systemRandom;
    this.#compress = config.disableCompression !== true;
    const credentials = createCredentials(config, clock);
    this.#transport = options.transport ?? new ServerTransport(config, credentials, clock);
    this.#requester = new Requester({
      transport: this.#transport,
      credentials,
      clock,
      userAgent: options.userAgent ?? 'slipway',
      requestTimeoutMs: options.requestTimeoutMs ?? requestTimeoutMsDefault,
      ...(options.rateLimit === undefined ? {} : { rateLimiter: new RateLimiter(options.rateLimit, clock) }),
      ...(options.onWarning === undefined ? {} : { onWarning: options.onWarning }),
    });
    this.#discovery = new Discovery((path) => this.#json({ method: 'GET', path }));
  }

  async get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<Frozen<T>> {
    checkObjectTarget(resource, key);
    return this.#object<T>({ method: 'GET', ...this.#target(resource, key), ...options });
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { signal, namespace, metadataOnly = false, ...query } = options;
    const target = this.#target(resource, { namespace }, query);
    const accept = metadataOnly ? acceptOf('PartialObjectMetadataList') : undefined;
    const answer = await this.#json({ method: 'GET', ...target, signal, acceptGzip: this.#compress, accept });
    const metadata = (answer['metadata'] ?? {}) as { readonly resourceVersion?: string; readonly continue?: string };
    const items = (answer['items'] ?? []) as unknown as Frozen<T>[];
    const complete = metadataOnly
      ? items.map((item) => withoutContent(item, resource))
      : completeItems(items, resource);
    const list = { items: complete, resourceVersion: metadata.resourceVersion ?? '' };
    return metadata.continue === undefined || metadata.continue === ''
      ? list
      : { ...list, continue: metadata.continue };
  }

  async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<Frozen<T>> {
    const { namespace } = object.metadata;
    checkCreateTarget(resource, namespace);
    const target = this.#target(resource, { namespace }, writeQuery(options));
    return this.#object<T>({ method: 'POST', ...target, body: stringifyJson(object), signal: options.signal });
  }

  async update<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<Frozen<T>> {
    const { namespace, name } = object.metadata;
    checkObjectTarget(resource, { namespace, name });
    const target = this.#target(resource, { namespace, name, subresource: options.subresource }, writeQuery(options));
    return this.#object<T>({ method: 'PUT', ...target, body: stringifyJson(object), signal: options.signal });
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options: WriteOptions = {},
  ): Promise<Frozen<T>> {
    const contentType = body.type === 'merge' ? 'application/merge-patch+json' : 'application/json-patch+json';
    return this.#patch<T>(resource, key, contentType, body.patch, options, {});
  }

  async apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>> {
    // JSON is a subset of YAML, and every server that supports apply accepts it under this content type.
    const contentType = 'application/apply-patch+yaml';
    return this.#patch<T>(resource, key, contentType, configuration, options, { force: options.force });
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Frozen<T> | undefined> {
    checkObjectTarget(resource, key);
    const target = this.#target(resource, key);
    const answer = await this.#json({ method: 'DELETE', ...target, body: deleteBody(options), signal: options.signal });
    if (isStatus(answer)) return undefined;
    const object = deepFreeze(answer) as unknown as Frozen<T>;
    // Some resources return the object although it was just removed. Only an object that waits for finalizers has a
    // deletionTimestamp.
    return isTerminating(object) ? object : undefined;
  }

  async deleteAll<T extends KubeObject>(
    resource: Resource<T>,
    list: ListOptions,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { signal, namespace, metadataOnly: _metadataOnly, ...query } = list;
    const target = this.#target(resource, { namespace }, query);
    await this.#json({ method: 'DELETE', ...target, body: deleteBody(options), signal: options.signal ?? signal });
  }

  async getSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    checkObjectTarget(resource, key);
    const target = this.#target(resource, { ...key, subresource });
    return deepFreeze(await this.#json({ method: 'GET', ...target, ...options }));
  }

  async createSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    body: JsonObject,
    options: WriteOptions = {},
  ): Promise<JsonObject> {
    checkObjectTarget(resource, key);
    const target = this.#target(resource, { ...key, subresource }, writeQuery(options));
    const answer = await this.#json({ method: 'POST', ...target, body: stringifyJson(body), signal: options.signal });
    return deepFreeze(answer);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<readonly WatchEvent<T>[]> {
    const { signal, namespace, metadataOnly = false, onOpen, ...query } = options;
    const linked = new LinkedSignal(signal);
    try {
      const target = this.#target(
        resource,
        { namespace },
        {
          ...query,
          ...(options.sendInitialEvents === true ? { resourceVersionMatch: 'NotOlderThan' } : {}),
          watch: true,
          allowWatchBookmarks: true,
          // Jitter the timeout, so that watches opened together do not reconnect together.
          timeoutSeconds: Math.floor(watchSecondsMin * (1 + this.#random.next())),
        },
      );
      const accept = metadataOnly ? acceptOf('PartialObjectMetadata') : undefined;
      const response = await this.#requester.open({ method: 'GET', ...target, signal: linked.signal, accept });
      onOpen?.();
      const decoder = new WatchDecoder<T>(
        metadataOnly ? (object) => withoutContent(object as Frozen<T>, resource) : undefined,
      );
      for await (const chunk of response.body) {
        const events = decoder.decode(chunk);
        if (events.length > 0) yield events;
      }
      const last = decoder.finish();
      if (last.length > 0) yield last;
    } catch (error) {
      // An abort by the reader is not an error.
      if (signal?.aborted !== true) throw error;
    } finally {
      linked.abort(new Error('the watch has ended'));
      linked.release();
    }
  }

  resourceFor(groupKind: {
    readonly group: string;
    readonly kind: string;
    readonly version?: string;
  }): Promise<Resource | undefined> {
    return this.#discovery.find(groupKind);
  }

  async getRaw(path: string, options: RawOptions = {}): Promise<string> {
    const request = { method: 'GET' as const, path: this.#basePath + path, accept: '*/*', ...options };
    return Buffer.from(await this.#requester.fetch(request)).toString('utf8');
  }

  portForward(pod: ObjectKey, port: number, options: RequestOptions = {}): Promise<Duplex> {
    checkObjectTarget(pods, pod);
    const target = this.#target(pods, { ...pod, subresource: 'portforward' }, { ports: port });
    return openPortForward(this.#requester, this.#random, { ...target, ...options });
  }

  close(): void {
    this.#transport.close();
  }

  async #patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    contentType: string,
    body: JsonObject | readonly JsonObject[],
    options: WriteOptions,
    extra: Readonly<Record<string, QueryValue>>,
  ): Promise<Frozen<T>> {
    checkObjectTarget(resource, key);
    const query = { ...writeQuery(options), ...extra };
    const target = this.#target(resource, { ...key, subresource: options.subresource }, query);
    return this.#object<T>({
      method: 'PATCH',
      ...target,
      contentType,
      body: stringifyJson(body),
      signal: options.signal,
    });
  }

  #target(
    resource: Resource,
    target: PathTarget,
    query: Readonly<Record<string, QueryValue>> = {},
  ): { path: string; subject: ApiRequest['subject'] } {
    return {
      path: withQuery(this.#basePath + objectPath(resource, target), query),
      subject: {
        group: resource.group,
        resource: resource.plural,
        ...(target.name === undefined ? {} : { name: target.name }),
      },
    };
  }

  async #object<T extends KubeObject>(request: ApiRequest): Promise<Frozen<T>> {
    return deepFreeze(await this.#json(request)) as unknown as Frozen<T>;
  }

  async #json(request: ApiRequest): Promise<JsonObject> {
    const path = request.subject === undefined ? this.#basePath + request.path : request.path;
    return parseJsonValue(await this.#requester.fetch({ ...request, path })) as JsonObject;
  }
}

function writeQuery(options: WriteOptions): Readonly<Record<string, QueryValue>> {
  return { fieldManager: options.fieldManager, dryRun: options.dryRun === true ? 'All' : undefined };
}

function deleteBody(options: DeleteOptions): string {
  const { signal: _signal, dryRun, ...rest } = options;
  return stringifyJson({
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...rest,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  });
}

export function isTerminating(object: Frozen<KubeObject>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

/** Returns the Accept header for metadata only. It includes plain JSON, because some servers can only send whole objects. */
function acceptOf(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}

/**
 * Returns the object with the kind of its own type instead of PartialObjectMetadata, and without other fields that a server may
 * have sent.
 */
function withoutContent<T extends KubeObject>(object: Frozen<T>, { group, version, kind }: Resource<T>): Frozen<T> {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return deepFreeze({ apiVersion, kind, metadata: object.metadata }) as unknown as Frozen<T>;
}

/** Sets apiVersion and kind on list items: lists of built-in kinds have them only once, for the whole list. */
function completeItems<T extends KubeObject>(items: readonly Frozen<T>[], resource: Resource<T>): readonly Frozen<T>[] {
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  const complete = items.map((item) =>
    item.kind === undefined || item.kind === '' ? ({ ...item, apiVersion, kind: resource.kind } as Frozen<T>) : item,
  );
  return deepFreeze(complete);
}
