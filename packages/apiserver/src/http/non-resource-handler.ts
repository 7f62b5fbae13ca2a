import { methodNotAllowed, unknownResource } from '@slipway/kube';
import { headerText, type HttpResponse } from '@slipway/base';
import { DiscoveryDocuments } from './discovery/documents.js';
import { OpenApiDocuments } from './openapi/documents.js';
import type { Registry } from '../contract/index.js';
import type { HealthChecks, HealthEndpoint } from './health.js';
import { jsonResponse, pageNotFound } from './message.js';
import { parseAccept } from './media-type.js';
import { respondDiscovery } from './respond-discovery.js';
import type { RequestContext } from './request-context.js';
import { respondOpenApi } from './respond-openapi.js';
import { serverVersion } from './server-version.js';

interface PlainDocument {
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly cacheControl?: string;
}

export type DocumentRoute = () => PlainDocument | Promise<PlainDocument>;
export type DocumentRoutes = ReadonlyMap<string, DocumentRoute>;

interface NonResourceHandlerOptions {
  readonly registry: Registry;
  readonly health: HealthChecks;
  readonly documents: DocumentRoutes;
  readonly serverAddress: () => string;
}

const healthPaths = /^\/(healthz|livez|readyz)(?:\/(.+))?$/;

/** Handles non-resource paths: discovery, OpenAPI, health, version and documents. */
export class NonResourceHandler {
  readonly #discovery: DiscoveryDocuments;
  readonly #openApi: OpenApiDocuments;

  constructor(private readonly options: NonResourceHandlerOptions) {
    this.#discovery = new DiscoveryDocuments(options.registry, options.serverAddress);
    this.#openApi = new OpenApiDocuments(options.registry, serverVersion.gitVersion);
  }

  async handle(context: RequestContext): Promise<HttpResponse> {
    const { info, request } = context;
    const path = info.path.length > 1 && info.path.endsWith('/') ? info.path.slice(0, -1) : info.path;
    const health = healthPaths.exec(path);
    const reads = info.method === 'GET' || (info.method === 'HEAD' && health !== null);
    if (!reads) {
      if (this.#paths().includes(path)) throw methodNotAllowed();
      return pageNotFound();
    }
    if (health !== null) return this.options.health.respond(health[1] as HealthEndpoint, health[2] ?? '', info.query);
    if (path === '/') return jsonResponse(200, { paths: this.#paths() });
    if (path === '/version') return jsonResponse(200, serverVersion);
    const document = this.options.documents.get(path);
    if (document !== undefined) return plainResponse(await document());
    if (path.startsWith('/openapi/'))
      return (await respondOpenApi(this.#openApi, path, context)) ?? { status: 404, headers: {}, body: undefined };
    return this.#respondDiscovery(path, headerText(request.headers, 'accept') ?? '', context);
  }

  #respondDiscovery(path: string, accept: string, { request }: RequestContext): HttpResponse {
    const found = respondDiscovery(this.#discovery, path, parseAccept(accept), request.headers);
    if (found !== undefined) return found;
    if (this.#discovery.belowBuiltIn(path)) throw unknownResource();
    return pageNotFound();
  }

  #paths(): string[] {
    return [
      ...this.options.documents.keys(),
      ...this.#discovery.paths(),
      '/healthz',
      '/livez',
      '/openapi/v2',
      '/openapi/v3',
      '/readyz',
      '/version',
    ].sort();
  }
}

function plainResponse(document: PlainDocument): HttpResponse {
  const body = Buffer.isBuffer(document.body) ? document.body : Buffer.from(document.body);
  const headers: HttpResponse['headers'] = { 'content-type': document.contentType };
  if (document.cacheControl !== undefined) headers['cache-control'] = document.cacheControl;
  return { status: 200, headers, body };
}
