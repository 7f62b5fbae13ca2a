import { headerText, type HttpResponse } from '@slipway/base';
import type { OpenApiDocument, OpenApiDocuments } from './openapi/documents.js';
import { parseAccept } from './media-type.js';
import { textResponse } from './message.js';
import type { RequestContext } from './request-context.js';
import { matchesEtag } from './respond-discovery.js';

const yearMs = 365 * 24 * 3600 * 1000;

export async function respondOpenApi(
  documents: OpenApiDocuments,
  path: string,
  context: RequestContext,
): Promise<HttpResponse | undefined> {
  if (path === '/openapi/v3') {
    // Upstream sends the index without a Content-Type.
    return textResponse(200, (await documents.index()).toString('utf8'));
  }
  const accept = headerText(context.request.headers, 'accept');
  if (path === '/openapi/v2' && prefersProtobuf(accept))
    return respondDocument(documents.v2Protobuf(), context, { 'content-type': protobufType });
  // Reject before building: clients request the protobuf form of v3 and fall back to JSON.
  if (!acceptsJson(accept)) return { status: 406, headers: { vary: 'Accept' }, body: undefined };
  if (path === '/openapi/v2') return respondDocument(documents.v2(), context, {});
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const groupVersion = path.slice('/openapi/v3/'.length);
  const document = documents.v3(groupVersion);
  if (document === undefined) return undefined;
  const hash = context.info.query.get('hash');
  if (hash === undefined || hash === '') return respondDocument(document, context, {});
  if (hash !== document.hash)
    return {
      status: 301,
      headers: { location: `/openapi/v3/${groupVersion}?hash=${document.hash}` },
      body: undefined,
    };
  return respondDocument(document, context, {
    'cache-control': 'public, immutable',
    expires: new Date(context.now() + yearMs).toUTCString(),
  });
}

function respondDocument(
  document: OpenApiDocument,
  context: RequestContext,
  extra: Readonly<Record<string, string>>,
): HttpResponse {
  const etag = `"${document.hash}"`;
  const headers = { 'content-type': 'application/json', etag, vary: 'Accept', ...extra };
  if (matchesEtag(headerText(context.request.headers, 'if-none-match'), etag))
    return { status: 304, headers, body: undefined };
  return { status: 200, headers, body: document.body };
}

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The second name, which older clients send, is not a valid media type. */
const protobufTypes = [protobufType, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'];

/** Whether the first supported clause of the Accept header requests protobuf. */
function prefersProtobuf(accept = ''): boolean {
  for (const clause of accept.split(',')) {
    const name = (clause.split(';', 1)[0] ?? '').trim();
    if (protobufTypes.includes(name)) return true;
    if (acceptsJson(name)) return false;
  }
  return false;
}

function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return parseAccept(accept).some(
    ({ type, subtype }) =>
      (type === '*' && subtype === '*') || (type === 'application' && (subtype === 'json' || subtype === '*')),
  );
}
