import { type HttpRequest, type HttpResponse, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { deepFreeze, type KubeObject, notFound, type Schema, stringifyJson } from '@slipway/kube';
import type {
  Answer,
  Registry,
  ResourceDefinition,
  ResourceEndpoint,
  ResourceVersionDefinition,
  UserInfo,
  WatchEvent,
  WatchStream,
} from '../contract/index.js';
import { defaultPrinter } from '../kinds/index.js';
import { ApiHandler, type ApiHandlerOptions } from './api-handler.js';

const testUser: UserInfo = { username: 'tester', groups: ['system:authenticated'] };

const kindSchema: Schema = {
  type: 'object',
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
};

function version(name: string, changes: Partial<ResourceVersionDefinition> = {}): ResourceVersionDefinition {
  return {
    name,
    served: true,
    schema: kindSchema,
    table: defaultPrinter,
    subresources: { status: false },
    selectableFields: {},
    ...changes,
  };
}

function definition(changes: Partial<ResourceDefinition>): ResourceDefinition {
  const kind = changes.kind ?? 'ConfigMap';
  return {
    group: '',
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    versions: [version('v1')],
    storageVersion: 'v1',
    storageResource: `${kind.toLowerCase()}s`,
    custom: false,
    strategy: {},
    subresources: [],
    unconditionalUpdate: true,
    createOnUpdate: false,
    returnsDeleted: false,
    convert: (objects) => objects as KubeObject[],
    ...changes,
  };
}

export const configMaps = definition({ kind: 'ConfigMap', shortNames: ['cm'] });
const namespaces = definition({
  kind: 'Namespace',
  namespaced: false,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
});
const serviceAccounts = definition({
  kind: 'ServiceAccount',
  subresources: [
    {
      name: 'token',
      kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
      verbs: ['create'],
      create: ({ name, body }) =>
        Promise.resolve({
          code: 201,
          object: { ...body, kind: 'TokenRequest', metadata: { name }, status: { token: 't' } },
        }),
    },
  ],
});
const reviews = definition({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
  verbs: ['create'],
  createOnly: ({ body }) => Promise.resolve({ code: 201, object: { ...body, status: { allowed: true } } }),
});
export const widgets = definition({
  group: 'example.com',
  kind: 'Widget',
  custom: true,
  unconditionalUpdate: false,
  categories: ['all'],
  versions: [
    version('v1', {
      subresources: { status: true, scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas' } },
    }),
    version('v1beta1', { deprecationWarning: 'example.com/v1beta1 Widget is deprecated' }),
    version('v1alpha1', { served: false }),
  ],
});

/** A watch whose events the test sends. */
export class FakeWatch implements WatchStream {
  disposed = false;
  reads = 0;
  readonly #ready: (readonly WatchEvent[] | undefined)[] = [];
  #waiting: ((events: readonly WatchEvent[] | undefined | Promise<never>) => void) | undefined;

  push(events: readonly WatchEvent[] | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#ready.push(events);
    else waiting(events);
  }

  fail(error: Error): void {
    this.#waiting?.(Promise.reject(error));
  }

  next(): Promise<readonly WatchEvent[] | undefined> {
    this.reads += 1;
    if (this.disposed) return Promise.resolve(undefined);
    if (this.#ready.length > 0) return Promise.resolve(this.#ready.shift());
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  dispose(): void {
    this.disposed = true;
    this.#waiting?.(undefined);
  }
}

export function answerOf(object: KubeObject): Answer {
  const { kind, apiVersion, ...rest } = object;
  const frozen = deepFreeze(object) as KubeObject;
  const bytes = Buffer.from(stringifyJson({ kind, apiVersion, ...rest }));
  const key = { resource: kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
  const { labels } = frozen.metadata;
  return { object: frozen, stored: { key, revision: 1, object: frozen, labels, bytes, mayContain: () => true } };
}

export interface Call {
  readonly verb: string;
  readonly arguments: readonly unknown[];
}

/** A registry of a few resources in a map. `calls` records the calls of the transport. */
export class FakeRegistry implements Registry {
  generation = 1;
  readonly objects = new Map<string, Answer>();
  readonly calls: Call[] = [];
  readonly watches: FakeWatch[] = [];
  /** Replaces a response, so that a test can throw or wait. */
  intercept: ((verb: string, caller: unknown) => void | Promise<void>) | undefined;
  listExtra: { continue?: string; remainingItemCount?: number } = {};

  constructor(
    public served: readonly ResourceDefinition[] = [configMaps, namespaces, serviceAccounts, reviews, widgets],
  ) {}

  definitions(): readonly ResourceDefinition[] {
    return this.served;
  }

  endpoint(group: string, versionName: string, plural: string): ResourceEndpoint | undefined {
    const found = this.served.find((candidate) => candidate.group === group && candidate.plural === plural);
    const served = found?.versions.find((candidate) => candidate.name === versionName && candidate.served);
    return found === undefined || served === undefined ? undefined : this.#endpoint(found, served);
  }

  endpointForKind(): ResourceEndpoint | undefined {
    return undefined;
  }

  onChange(): { dispose(): void } {
    return { dispose: () => undefined };
  }

  put(object: KubeObject): Answer {
    const answer = answerOf(object);
    this.objects.set(`${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`, answer);
    return answer;
  }

  #endpoint(found: ResourceDefinition, served: ResourceVersionDefinition): ResourceEndpoint {
    const record = async (verb: string, ...rest: unknown[]): Promise<void> => {
      this.calls.push({ verb, arguments: rest });
      await this.intercept?.(verb, rest[0]);
    };
    const read = (namespace: string, name: string): Answer => {
      const answer = this.objects.get(`${found.kind}/${namespace}/${name}`);
      if (answer === undefined) throw notFound({ group: found.group, resource: found.plural }, name);
      return answer;
    };
    return {
      definition: found,
      version: served,
      get: async (...all) => (await record('get', ...all), read(all[1], all[2])),
      getSubresource: async (...all) => (await record('getSubresource', ...all), read(all[1], all[2])),
      list: async (...all) => {
        await record('list', ...all);
        const items = [...this.objects.values()].filter(({ object }) => object.kind === found.kind);
        return { items, resourceVersion: '77', continue: '', ...this.listExtra };
      },
      watch: async (...all) => {
        await record('watch', ...all);
        const watch = new FakeWatch();
        this.watches.push(watch);
        return watch;
      },
      createOnly: async (caller, target, body, options) => {
        await record('createOnly', caller, target, body, options);
        const { subresource, ...rest } = target;
        const run = found.subresources.find((one) => one.name === subresource)?.create ?? found.createOnly;
        if (run === undefined) throw notFound({ group: found.group, resource: found.plural }, target.name);
        return run({ ...rest, body, user: caller.user, dryRun: options.dryRun ?? false, signal: caller.signal });
      },
      create: async (...all) => {
        await record('create', ...all);
        return { answer: this.put(all[2].value as unknown as KubeObject), created: true };
      },
      update: async (...all) => (await record('update', ...all), { answer: read(all[1], all[2]), created: false }),
      patch: async (...all) => (
        await record('patch', ...all), { answer: read(all[1], all[2]), created: all[3].type === 'apply' }
      ),
      delete: async (...all) => (await record('delete', ...all), { kind: 'removed', name: all[2], uid: 'u-1' }),
      deleteCollection: async (...all) => (
        await record('deleteCollection', ...all), { items: [], resourceVersion: '77', continue: '' }
      ),
    };
  }
}

export interface TestBench {
  readonly registry: FakeRegistry;
  readonly clock: VirtualClock;
  readonly handler: ApiHandler;
}

export function createBench(changes: Partial<ApiHandlerOptions> = {}): TestBench {
  const registry = new FakeRegistry();
  const clock = new VirtualClock();
  const handler = new ApiHandler({
    registry,
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    resolveUser: () => testUser,
    authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    serverAddress: () => '127.0.0.1:6443',
    ...changes,
  });
  return { registry, clock, handler };
}

export interface TestRequest {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Builds a request without a socket. */
export function testRequest(method: string, url: string, { headers = {}, body = '' }: TestRequest = {}): HttpRequest {
  const bytes = Buffer.from(body);
  return {
    method,
    url,
    headers,
    remoteAddress: '127.0.0.1',
    clientCertificate: undefined,
    readBody: (bytesMax) => Promise.resolve(bytes.length > bytesMax ? undefined : bytes),
    onClose: () => undefined,
  };
}

export function bodyText(response: HttpResponse): string {
  const { body } = response;
  if (body === undefined || typeof body === 'function') return '';
  return (Buffer.isBuffer(body) ? body : Buffer.concat(body)).toString('utf8');
}

export function bodyJson(response: HttpResponse): unknown {
  return JSON.parse(bodyText(response));
}
