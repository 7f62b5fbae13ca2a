import type { Frozen, KubeObject } from '@slipway/kube';
import type { Answer, ResourceEndpoint, WatchEvent } from '../contract/index.js';
import { encodeMetadata, type ViewVersion } from './tables/partial-metadata.js';
import { type IncludeObject, renderBookmarkTable, renderTable, type TableOptions } from './tables/render-table.js';
import { type EncodedKind, watchFramePieces } from './protobuf/encode.js';
import { apiVersionOf, bytesOf } from './answer-encoder.js';
import { encodeAnswer, encodeMetadataMessage, encodeOrRefuse } from './protobuf-encoder.js';

/** Encodes watch events as byte chunks, without copying encoded objects. */
export type EncodeEvent = (event: WatchEvent, pieces: Buffer[]) => void;

type ChangeEvent = Extract<WatchEvent, { readonly answer: unknown }>;
type BookmarkEvent = Extract<WatchEvent, { readonly type: 'BOOKMARK' }>;

const heads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
} as const;
const tail = Buffer.from('}\n');

/**
 * Caches the lines that were encoded last. A change is sent to all watchers of the object in succession and is encoded only for
 * the first of them.
 */
class RecentLines {
  readonly #lines = new Map<Answer, { readonly type: string; readonly line: Buffer }>();

  line({ type, answer }: ChangeEvent): Buffer {
    const known = this.#lines.get(answer);
    if (known?.type === type) return known.line;
    const line = Buffer.concat([heads[type], bytesOf(answer), tail]);
    if (line.length > recentLineBytesMax) return line;
    this.#lines.delete(answer);
    this.#lines.set(answer, { type, line });
    if (this.#lines.size > recentLinesMax) this.#lines.delete(this.#lines.keys().next().value as Answer);
    return line;
  }
}

const recentLinesMax = 64;
const recentLineBytesMax = 64 * 1024;
const recentLines = new RecentLines();

function encoder(
  encodeChange: (event: ChangeEvent) => Buffer,
  encodeBookmark: (event: BookmarkEvent) => Buffer,
): EncodeEvent {
  return (event, pieces) => {
    pieces.push(heads[event.type]);
    if (event.type === 'ERROR') pieces.push(Buffer.from(JSON.stringify(event.status)));
    else pieces.push(event.type === 'BOOKMARK' ? encodeBookmark(event) : encodeChange(event));
    pieces.push(tail);
  };
}

/**
 * Builds a bookmark object of the watched kind. Only its resourceVersion and the initial-events-end annotation are meaningful.
 */
function bookmarkObject(event: BookmarkEvent, endpoint: ResourceEndpoint): Frozen<KubeObject> {
  return {
    kind: endpoint.definition.kind,
    apiVersion: apiVersionOf(endpoint),
    metadata: {
      resourceVersion: event.resourceVersion,
      ...(event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  };
}

export function objectEvents(endpoint: ResourceEndpoint): EncodeEvent {
  const encodeOther = encoder(
    (event) => bytesOf(event.answer),
    (event) => Buffer.from(JSON.stringify(bookmarkObject(event, endpoint))),
  );
  return (event, pieces) => {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') encodeOther(event, pieces);
    else pieces.push(recentLines.line(event));
  };
}

export function metadataEvents(endpoint: ResourceEndpoint, version: ViewVersion): EncodeEvent {
  return encoder(
    (event) => Buffer.from(encodeMetadata(event.answer.object, version)),
    (event) => Buffer.from(encodeMetadata(bookmarkObject(event, endpoint), version)),
  );
}

export function tableEvents(
  endpoint: ResourceEndpoint,
  version: ViewVersion,
  includeObject: IncludeObject,
  now: () => number,
): EncodeEvent {
  let first = true;
  const takeColumns = (): boolean => {
    const columns = first;
    first = false;
    return columns;
  };
  const options = (): TableOptions => ({ printer: endpoint.version.table, version, includeObject, now: now() });
  return encoder(
    (event) => {
      const meta = { resourceVersion: event.answer.object.metadata.resourceVersion };
      return Buffer.from(renderTable([event.answer], meta, options(), takeColumns()));
    },
    (event) => Buffer.from(renderBookmarkTable(bookmarkObject(event, endpoint), options(), takeColumns())),
  );
}

function framer(
  encodeChange: (event: ChangeEvent) => EncodedKind,
  encodeBookmark: (event: BookmarkEvent) => EncodedKind,
): EncodeEvent {
  return (event, pieces) => {
    pieces.push(...watchFramePieces(event.type, encodeOne(event)));
  };
  function encodeOne(event: WatchEvent): EncodedKind {
    if (event.type === 'ERROR') return encodeOrRefuse(event.status);
    return event.type === 'BOOKMARK' ? encodeBookmark(event) : encodeChange(event);
  }
}

export function objectFrames(endpoint: ResourceEndpoint): EncodeEvent {
  return framer(
    (event) => encodeAnswer(event.answer),
    (event) => encodeAnswer({ object: bookmarkObject(event, endpoint) }),
  );
}

export function metadataFrames(endpoint: ResourceEndpoint, version: ViewVersion): EncodeEvent {
  return framer(
    (event) => encodeMetadataMessage(event.answer.object, version),
    (event) => encodeMetadataMessage(bookmarkObject(event, endpoint), version),
  );
}
