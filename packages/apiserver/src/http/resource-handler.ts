import { type Clock, headerText, type HttpResponse, type Random } from '@slipway/base';
import { type KubeObject, notFound } from '@slipway/kube';
import type { DeleteOptions, Registry, ResourceEndpoint, WriteAnswer, WriteOptions } from '../contract/index.js';
import { parseIncludeObject } from './tables/render-table.js';
import {
  bodyTooLarge,
  decodeBody,
  decodeDeleteOptions,
  decodePatch,
  type DecodeProtobuf,
  patchTypeOf,
} from './body.js';
import { parseDeleteOptions } from './delete-options.js';
import {
  type EncodeEvent,
  metadataEvents,
  metadataFrames,
  objectEvents,
  objectFrames,
  tableEvents,
} from './event-encoder.js';
import { pageNotFound } from './message.js';
import type { WatchObserver } from './metrics.js';
import { negotiate, type Negotiated, notAcceptableError, streamed, streamTypeOf } from './negotiate.js';
import { parseListOptions, parseTimeoutSeconds, parseWatchOptions, parseWriteOptions } from './options.js';
import type { RequestContext } from './request-context.js';
import { respondList, respondObject, respondValue } from './respond.js';
import { findSubresource, ResourceRouter } from './resource-route.js';
import { watchBody } from './watch-body.js';

const watchTimeoutMsMin = 30 * 60 * 1000;

export interface ResourceHandlerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly decodeProtobuf?: DecodeProtobuf;
  onShutdown(callback: () => void): { dispose(): void };
  readonly onFailure?: (context: RequestContext, error: unknown) => void;
  /** Called at the start of a watch. The returned callbacks are called per batch of events and at the end. */
  readonly watchStarted?: (context: RequestContext) => WatchObserver;
}

type Handler = (context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated) => Promise<HttpResponse>;

/** Serves the API verbs over HTTP: decodes options and body, calls the endpoint, encodes the response as negotiated. */
export class ResourceHandler {
  readonly #router: ResourceRouter;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(private readonly options: ResourceHandlerOptions) {
    this.#router = new ResourceRouter(options.registry);
    this.#handlers = {
      get: this.#get.bind(this),
      list: this.#list.bind(this),
      watch: this.#watch.bind(this),
      create: this.#create.bind(this),
      update: this.#update.bind(this),
      patch: this.#patch.bind(this),
      delete: this.#delete.bind(this),
      deletecollection: this.#deleteCollection.bind(this),
    };
  }

  async handle(context: RequestContext): Promise<HttpResponse> {
    const { info, request } = context;
    const endpoint = this.#router.resolve(info);
    const handler = this.#handlers[info.verb];
    if (endpoint === undefined || handler === undefined) return pageNotFound();
    if (endpoint.version.deprecationWarning !== undefined) context.warn(endpoint.version.deprecationWarning);
    const negotiated = negotiate(
      {
        accept: headerText(request.headers, 'accept'),
        views: info.verb !== 'create' || actionKind(endpoint, info.subresource) === undefined,
        custom: endpoint.definition.custom,
        protobuf: !endpoint.definition.custom,
        watchable: info.verb === 'list' || info.verb === 'watch',
      },
      info.query.get('pretty'),
      headerText(request.headers, 'user-agent') ?? '',
    );
    return handler(context, endpoint, negotiated);
  }

  async #get(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { info } = context;
    const namespace = namespaceOf(context, endpoint);
    const resourceVersion = info.query.get('resourceVersion');
    const answer =
      info.subresource === ''
        ? await endpoint.get(context, namespace, info.name, resourceVersion ? { resourceVersion } : undefined)
        : await endpoint.getSubresource(context, namespace, info.name, info.subresource);
    return respondObject(context, endpoint, answer, 200, negotiated);
  }

  async #list(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const options = parseListOptions(context.info.query);
    const list = await endpoint.list(context, namespaceOf(context, endpoint), options);
    return respondList(context, endpoint, list, negotiated);
  }

  async #watch(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { clock, random } = this.options;
    const { info } = context;
    const encode = eventEncoder(context, endpoint, negotiated, clock);
    const seconds = parseTimeoutSeconds(info.query);
    const timeoutMs = seconds > 0 ? seconds * 1_000 : watchTimeoutMsMin * (1 + random.next());
    const options = parseWatchOptions(info.query, info.name, timeoutMs);
    const stream = await endpoint.watch(context, namespaceOf(context, endpoint), options);
    const observer = this.options.watchStarted?.(context);
    return {
      status: 200,
      headers: { 'content-type': streamTypeOf(negotiated.encoding) },
      body: watchBody(stream, encode, {
        clock,
        timeoutMs,
        onShutdown: (callback) => this.options.onShutdown(callback),
        onEvents: observer?.events,
        onEnd: observer?.end,
        onFailure: (error) => this.options.onFailure?.(context, error),
      }),
    };
  }

  async #create(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { info } = context;
    const { definition } = endpoint;
    const options = parseWriteOptions(info.query, 'CreateOptions');
    const kind = actionKind(endpoint, info.subresource);
    if (kind !== undefined) return this.#createOnly(context, endpoint, kind, options, negotiated);
    if (info.subresource !== '') throw notFound({ group: info.group, resource: info.resource }, info.name);
    const body = this.#readObject(context, definition.kind);
    const written = await endpoint.create(context, namespaceOf(context, endpoint), body, options);
    await context.nextStep();
    return respondObject(context, endpoint, written.answer, 201, negotiated);
  }

  /** Handles POST to a create-only resource, which is not stored: reviews, tokens, evictions. */
  async #createOnly(
    context: RequestContext,
    endpoint: ResourceEndpoint,
    kind: string,
    options: WriteOptions,
    negotiated: Negotiated,
  ): Promise<HttpResponse> {
    const { value: body } = this.#readObject(context, kind);
    context.audit?.requestObject(body);
    await context.nextStep();
    const { name, subresource } = context.info;
    const target = { namespace: namespaceOf(context, endpoint), name, subresource };
    const { code, object } = await endpoint.createOnly(context, target, body, options);
    await context.nextStep();
    if (object['kind'] === 'Status') return respondValue(object, code, negotiated);
    return respondObject(context, endpoint, { object: object as KubeObject }, code, negotiated);
  }

  async #update(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { info } = context;
    const options = parseWriteOptions(info.query, 'UpdateOptions');
    const body = this.#readObject(context, kindOf(endpoint, info.subresource));
    const namespace = namespaceOf(context, endpoint);
    const written = await endpoint.update(context, namespace, info.name, body, options, info.subresource);
    await context.nextStep();
    return respondWritten(context, endpoint, written, negotiated);
  }

  async #patch(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { info, request } = context;
    const type = patchTypeOf(headerText(request.headers, 'content-type'), endpoint.definition.custom);
    const options = parseWriteOptions(info.query, 'PatchOptions', type);
    const patch = decodePatch(bodyOf(context), type, context.readYaml);
    context.audit?.requestPatch(patch.value);
    const namespace = namespaceOf(context, endpoint);
    const written = await endpoint.patch(context, namespace, info.name, patch, options, info.subresource);
    await context.nextStep();
    return respondWritten(context, endpoint, written, negotiated);
  }

  async #delete(context: RequestContext, endpoint: ResourceEndpoint, negotiated: Negotiated): Promise<HttpResponse> {
    const { info } = context;
    const options = this.#readDeleteOptions(context);
    const deleted = await endpoint.delete(context, namespaceOf(context, endpoint), info.name, options);
    if (deleted.kind === 'object') {
      const pending = (deleted.answer.object.metadata.deletionTimestamp ?? null) !== null;
      const code = pending && options.orphanDependents === false ? 202 : 200;
      return respondObject(context, endpoint, deleted.answer, code, negotiated);
    }
    const details = {
      name: deleted.name,
      ...(info.group === '' ? {} : { group: info.group }),
      kind: info.resource,
      uid: deleted.uid,
    };
    const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
    return respondValue(success, 200, negotiated);
  }

  async #deleteCollection(
    context: RequestContext,
    endpoint: ResourceEndpoint,
    negotiated: Negotiated,
  ): Promise<HttpResponse> {
    const options = this.#readDeleteOptions(context);
    const list = parseListOptions(context.info.query);
    const deleted = await endpoint.deleteCollection(context, namespaceOf(context, endpoint), list, options);
    return respondList(context, endpoint, deleted, negotiated);
  }

  #readDeleteOptions(context: RequestContext): DeleteOptions {
    const { query } = context.info;
    const bytes = bodyOf(context);
    if (bytes.length === 0) return parseDeleteOptions(query, undefined);
    const contentType = headerText(context.request.headers, 'content-type');
    const { value } = decodeDeleteOptions(bytes, contentType, this.options.decodeProtobuf, context.readYaml);
    context.audit?.requestObject(value);
    return parseDeleteOptions(query, value);
  }

  #readObject(context: RequestContext, kind: string): ReturnType<typeof decodeBody> {
    const contentType = headerText(context.request.headers, 'content-type');
    return decodeBody(bodyOf(context), contentType, kind, this.options.decodeProtobuf, context.readYaml);
  }
}

/** Returns the body kind of a create-only resource or subresource; undefined if the endpoint has none. */
function actionKind({ definition }: ResourceEndpoint, subresource: string): string | undefined {
  if (subresource === '') return definition.createOnly === undefined ? undefined : definition.kind;
  const found = findSubresource(definition, subresource);
  return found?.create === undefined ? undefined : found.kind.kind;
}

function bodyOf({ body }: RequestContext): Buffer {
  if (body === undefined) throw bodyTooLarge();
  return body;
}

/** Returns the namespace for the registry. A Namespace object has its own name as namespace for authorization only. */
function namespaceOf(context: RequestContext, endpoint: ResourceEndpoint): string {
  return endpoint.definition.namespaced ? context.info.namespace : '';
}

function kindOf(endpoint: ResourceEndpoint, subresource: string): string {
  if (subresource === '' || subresource === 'status') return endpoint.definition.kind;
  if (subresource === 'scale') return 'Scale';
  return findSubresource(endpoint.definition, subresource)?.kind.kind ?? endpoint.definition.kind;
}

function respondWritten(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  written: WriteAnswer,
  negotiated: Negotiated,
): HttpResponse {
  return respondObject(context, endpoint, written.answer, written.created ? 201 : 200, negotiated);
}

function eventEncoder(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  negotiated: Negotiated,
  clock: Clock,
): EncodeEvent {
  const { encoding, view, viewVersion } = negotiated;
  if (encoding === 'yaml' || view === 'metadataList')
    throw notAcceptableError(`only the following media types are accepted: ${streamed}`);
  if (view === 'metadata')
    return encoding === 'protobuf' ? metadataFrames(endpoint, viewVersion) : metadataEvents(endpoint, viewVersion);
  if (view === 'object') return encoding === 'protobuf' ? objectFrames(endpoint) : objectEvents(endpoint);
  const includeObject = parseIncludeObject(context.info.query.get('includeObject'));
  return tableEvents(endpoint, viewVersion, includeObject, () => clock.now());
}
