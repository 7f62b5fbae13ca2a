import { type BodyStream, type Clock, type HttpResponse, seededRandom, silentLogger, systemClock } from '@slipway/base';
import { generatePrivateKey } from '@slipway/pki';
import { ensureServerIdentity, KubernetesServer, openMemoryStore, type ServerIdentity } from '../../src/index.js';

// biome-ignore format: one line reads better
export type Json = { readonly [key: string]: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read foreign JSON by path

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly headers: HttpResponse['headers'];
  readonly warnings: readonly string[];
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly contentType?: string;
}

export interface WatchedEvent {
  readonly type: string;
  readonly object: Json;
}

const eventDeadlineMs = 30_000;

/** A complete server without a socket: requests go to the handler, and watches are read event by event. */
export class Harness {
  private constructor(
    readonly server: KubernetesServer,
    readonly identity: ServerIdentity,
  ) {}

  static async start(clock: Clock = systemClock): Promise<Harness> {
    const random = seededRandom(7);
    const files = new Map<string, string>();
    const identity = await ensureServerIdentity({
      clock,
      random,
      keys: { next: generatePrivateKey },
      files: {
        read: (name) => Promise.resolve(files.get(name)),
        write: (name, text) => Promise.resolve(void files.set(name, text)),
      },
    });
    const server = await KubernetesServer.start({
      store: await openMemoryStore({ clock }),
      clock,
      random,
      logger: silentLogger,
      identity,
      staticTokens: [
        { token: 'admin', user: { username: 'admin', groups: ['system:masters'] } },
        { token: 'alice', user: { username: 'alice', groups: [] } },
      ],
    });
    return new Harness(server, identity);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.server.store.close();
  }

  get(path: string, options?: CallOptions): Promise<Reply> {
    return this.call('GET', path, undefined, options);
  }

  post(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return this.call('POST', path, body, options);
  }

  put(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return this.call('PUT', path, body, options);
  }

  merge(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return this.call('PATCH', path, body, { contentType: 'application/merge-patch+json', ...options });
  }

  apply(path: string, manager: string, body: unknown, query = ''): Promise<Reply> {
    const separator = path.includes('?') ? '&' : '?';
    return this.call('PATCH', `${path}${separator}fieldManager=${manager}${query}`, body, {
      contentType: 'application/apply-patch+yaml',
    });
  }

  delete(path: string, body?: unknown): Promise<Reply> {
    return this.call('DELETE', path, body);
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> {
    const response = await this.#handle(method, path, body, options);
    const text = Buffer.concat(
      response.body === undefined || typeof response.body === 'function' ? [] : [response.body].flat(),
    ).toString();
    const { warning } = response.headers;
    return {
      code: response.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Json) : { text },
      headers: response.headers,
      warnings: warning === undefined ? [] : [warning].flat(),
    };
  }

  async watch(path: string, options: CallOptions = {}): Promise<Watcher> {
    const response = await this.#handle('GET', path, undefined, options);
    if (typeof response.body !== 'function') {
      const text = Buffer.concat(response.body === undefined ? [] : [response.body].flat()).toString();
      throw new Error(`not a watch: ${response.status} ${text}`);
    }
    return new Watcher(response.body);
  }

  #handle(method: string, path: string, body: unknown, options: CallOptions): Promise<HttpResponse> {
    const bytes =
      body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return this.server.handler.handle({
      method,
      url: path,
      headers: {
        authorization: `Bearer ${options.token ?? 'admin'}`,
        'user-agent': 'harness/v1 (test)',
        ...(body === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
        ...options.headers,
      },
      remoteAddress: '127.0.0.1',
      clientCertificate: undefined,
      readBody: (bytesMax) => Promise.resolve(bytes.length > bytesMax ? undefined : bytes),
      onClose: () => undefined,
    });
  }
}

/** Reads a watch. `next` fails after a deadline, so that a test does not hang. */
export class Watcher {
  readonly #events: WatchedEvent[] = [];
  readonly #closers: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #rest = '';
  ended = false;

  constructor(stream: BodyStream) {
    void stream({
      write: (chunk) => {
        this.#take(chunk.toString());
        return true;
      },
      onClose: (callback) => void this.#closers.push(callback),
    }).then(() => {
      this.ended = true;
      this.#wake?.();
    });
  }

  async next(): Promise<WatchedEvent> {
    const event = await this.#wait(() => this.#events.shift());
    if (event === undefined) throw new Error('the watch ended');
    return event;
  }

  /** Resolves when the server has ended the stream. */
  async end(): Promise<void> {
    await this.#wait(() => (this.ended ? true : undefined));
  }

  /** Returns all received events that are not read yet. */
  pending(): readonly WatchedEvent[] {
    return this.#events;
  }

  close(): void {
    for (const close of this.#closers) close();
  }

  async #wait<T>(take: () => T | undefined): Promise<T | undefined> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#wake?.();
    }, eventDeadlineMs);
    try {
      for (;;) {
        const taken = take();
        if (taken !== undefined) return taken;
        if (this.ended) return undefined;
        if (late) throw new Error(`nothing came within ${eventDeadlineMs} ms`);
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.#events.push(JSON.parse(line) as WatchedEvent);
    this.#wake?.();
  }
}

export interface CrdVersionOptions {
  readonly name?: string;
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly spec?: Json;
  readonly status?: boolean;
  readonly extra?: Json;
}

/** Creates the CRD `<plural>.example.com` with the given spec schema and waits until it is served. */
export async function defineCustom(
  harness: Harness,
  plural: string,
  versions: readonly CrdVersionOptions[],
): Promise<Reply> {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  const reply = await harness.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((version) => crdVersion(version)),
    },
  });
  if (reply.code !== 201) return reply;
  await established(harness, `${plural}.example.com`);
  return reply;
}

export function crdVersion({
  name = 'v1',
  storage = true,
  served = true,
  spec,
  status,
  extra,
}: CrdVersionOptions): Json {
  return {
    name,
    served,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: spec ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
    ...(status === true ? { subresources: { status: {} } } : {}),
    ...extra,
  };
}

export async function established(harness: Harness, name: string): Promise<void> {
  const watch = await harness.watch(
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&fieldSelector=metadata.name=${name}`,
  );
  for (;;) {
    const { object } = await watch.next();
    const conditions = (object['status']?.conditions ?? []) as readonly Json[];
    if (conditions.some((one) => one['type'] === 'Established' && one['status'] === 'True')) break;
  }
  watch.close();
}

export function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: Json = {}): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

export function custom(kind: string, name: string, spec: unknown = {}, rest: Json = {}): Json {
  return { apiVersion: 'example.com/v1', kind, metadata: { name }, spec, ...rest };
}

export function customPath(plural: string, version = 'v1'): string {
  return `/apis/example.com/${version}/namespaces/default/${plural}`;
}
