import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import {
  type Frozen,
  type KubeObject,
  parseJsonValue,
  type Status,
  StatusError,
  stringifyJson,
  stringifyYaml,
} from '@slipway/kube';
import { headerText, type HttpResponse, type RequestHeaders, type ResponseHeaders } from '@slipway/base';
import { type EncodedKind, envelopePieces } from './protobuf/encode.js';
import type { Answer, ListAnswer, ResourceEndpoint } from '../contract/index.js';
import { defaultPrinter } from '../kinds/index.js';
import { encodeMetadata } from './tables/partial-metadata.js';
import { parseIncludeObject, renderTable, type TableOptions } from './tables/render-table.js';
import { bytesOf, listPieces, listValue, metadataListText } from './answer-encoder.js';
import { contentTypeOf, type Encoding, type Negotiated, notAcceptableError } from './negotiate.js';
import {
  encodeAnswer,
  encodeListAnswer,
  encodeMetadataList,
  encodeMetadataMessage,
  encodeProtobufValue,
} from './protobuf-encoder.js';
import type { RequestContext } from './request-context.js';

const newline = Buffer.from('\n');
/** Size of the JSON from which a YAML response is written as JSON. */
const yamlCharsMax = 32 * 1024;
const gzipBytesMin = 128 * 1024;
const gzipAsync = promisify(gzip);

function encodeValue(value: unknown, negotiated: Pick<Negotiated, 'encoding' | 'pretty'>): Buffer {
  if (negotiated.encoding === 'protobuf') return encodeProtobufValue(value);
  if (negotiated.encoding === 'yaml') return encodeYaml(value);
  return Buffer.from(`${stringifyJson(value, negotiated.pretty ? { indent: 2 } : {})}\n`);
}

/** Formatting YAML takes a hundred times as long as JSON, which is valid YAML too. */
function encodeYaml(value: unknown): Buffer {
  const json = stringifyJson(value);
  return Buffer.from(json.length > yamlCharsMax ? `${json}\n` : stringifyYaml(value));
}

/** Encodes JSON text in the negotiated format. */
function encodeJsonText(text: string, negotiated: Negotiated): Buffer {
  if (negotiated.encoding === 'json' && !negotiated.pretty) return Buffer.from(`${text}\n`);
  return encodeValue(parseJsonValue(text), negotiated);
}

function response(status: number, encoding: Encoding, body: Buffer | readonly Buffer[]): HttpResponse {
  return { status, headers: { 'content-type': contentTypeOf(encoding) }, body };
}

export function respondObject(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  answer: Answer,
  status: number,
  negotiated: Negotiated,
): HttpResponse {
  const { encoding, view } = negotiated;
  if (encoding === 'protobuf') return protobufResponse(status, protobufObject(endpoint, answer, negotiated));
  if (view === 'object') {
    if (encoding === 'json' && !negotiated.pretty)
      return response(status, encoding, Buffer.concat([bytesOf(answer), newline]));
    return response(status, encoding, encodeValue(answer.object, negotiated));
  }
  return response(status, encoding, encodeJsonText(objectView(context, endpoint, answer, negotiated), negotiated));
}

function protobufResponse(status: number, encoded: EncodedKind): HttpResponse {
  const pieces = envelopePieces(encoded);
  return response(status, 'protobuf', encoded.message.length === 1 ? Buffer.concat(pieces) : pieces);
}

function protobufObject(endpoint: ResourceEndpoint, answer: Answer, { view, viewVersion }: Negotiated): EncodedKind {
  if (view === 'object') return encodeAnswer(answer);
  if (view === 'metadata') return encodeMetadataMessage(answer.object, viewVersion);
  throw notAList(endpoint, answer.object.kind);
}

function notAList(endpoint: ResourceEndpoint, kind: string): StatusError {
  return notAcceptableError(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(endpoint, kind)})`,
  );
}

function isAList(endpoint: ResourceEndpoint): StatusError {
  return notAcceptableError(
    `you requested PartialObjectMetadata, but the requested object is a list (${goType(endpoint, endpoint.definition.listKind)})`,
  );
}

function objectView(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  answer: Answer,
  negotiated: Negotiated,
): string {
  const { object } = answer;
  if (negotiated.view === 'metadata') return encodeMetadata(object, negotiated.viewVersion);
  if (negotiated.view === 'metadataList') throw notAList(endpoint, object.kind);
  const meta = { resourceVersion: object.metadata.resourceVersion };
  return renderTable([answer], meta, tableOptions(context, endpoint, negotiated, object));
}

/** Returns the name of upstream's Go type, which its error message contains. */
function goType(endpoint: ResourceEndpoint, kind: string): string {
  if (!endpoint.definition.custom) return `*${endpoint.version.name}.${kind}`;
  return kind === endpoint.definition.listKind ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
}

function tableOptions(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  negotiated: Negotiated,
  object: Frozen<KubeObject> | undefined,
): TableOptions {
  const own = object === undefined || object.kind === endpoint.definition.kind;
  return {
    printer: own ? endpoint.version.table : defaultPrinter,
    version: negotiated.viewVersion,
    includeObject: parseIncludeObject(context.info.query.get('includeObject')),
    now: context.now(),
  };
}

export function respondList(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  list: ListAnswer,
  negotiated: Negotiated,
): HttpResponse {
  const { encoding, view } = negotiated;
  if (encoding === 'protobuf') return protobufResponse(200, protobufList(endpoint, list, negotiated));
  if (view === 'object') {
    const plain = encoding === 'json' && !negotiated.pretty;
    return response(
      200,
      encoding,
      plain ? listPieces(endpoint, list) : encodeValue(listValue(endpoint, list), negotiated),
    );
  }
  return response(200, encoding, encodeJsonText(listView(context, endpoint, list, negotiated), negotiated));
}

function protobufList(endpoint: ResourceEndpoint, list: ListAnswer, { view, viewVersion }: Negotiated): EncodedKind {
  if (view === 'object') return encodeListAnswer(endpoint, list);
  if (view === 'metadataList') return encodeMetadataList(list, viewVersion);
  throw isAList(endpoint);
}

function listView(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  list: ListAnswer,
  negotiated: Negotiated,
): string {
  const { viewVersion } = negotiated;
  if (negotiated.view === 'metadataList')
    return metadataListText(list, viewVersion, (object) => encodeMetadata(object, viewVersion));
  if (negotiated.view === 'metadata') throw isAList(endpoint);
  return renderTable(list.items, list, tableOptions(context, endpoint, negotiated, undefined));
}

/** Sends anything that is neither an object of the endpoint nor a list. Views do not apply. */
export function respondValue(
  value: unknown,
  status: number,
  negotiated: Pick<Negotiated, 'encoding' | 'pretty'>,
): HttpResponse {
  return response(status, negotiated.encoding, encodeValue(value, negotiated));
}

export function respondError(error: StatusError, negotiated: Pick<Negotiated, 'encoding' | 'pretty'>): HttpResponse {
  const failure: Status = error.toStatus();
  const answer = respondValue(failure, error.code, negotiated);
  const retryAfter = error.details?.retryAfterSeconds ?? 0;
  if (retryAfter > 0) answer.headers['retry-after'] = String(retryAfter);
  return answer;
}

/** Compresses large bodies for clients that accept gzip. Never called for streams. */
export async function compress(answer: HttpResponse, headers: RequestHeaders): Promise<HttpResponse> {
  const { body } = answer;
  if (body === undefined || typeof body === 'function' || !isLarge(body)) return answer;
  const accepts = headerText(headers, 'accept-encoding');
  if (accepts === undefined || !/(^|[,\s])gzip\s*(;|,|$)/.test(accepts)) return answer;
  const whole = Buffer.isBuffer(body) ? body : Buffer.concat(body);
  // Level 1, like upstream: a list is compressed once and read once.
  const compressed = await gzipAsync(whole, { level: constants.Z_BEST_SPEED });
  const compressedHeaders: ResponseHeaders = {
    ...answer.headers,
    'content-encoding': 'gzip',
    vary: varyWith(answer.headers),
  };
  return { ...answer, headers: compressedHeaders, body: compressed };
}

function varyWith(headers: ResponseHeaders): string {
  const vary = headers['vary'];
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

function isLarge(body: Buffer | readonly Buffer[]): boolean {
  return bodyLength(body) > gzipBytesMin;
}

export function bodyLength(body: Buffer | readonly Buffer[]): number {
  if (Buffer.isBuffer(body)) return body.length;
  let total = 0;
  for (const piece of body) total += piece.length;
  return total;
}
