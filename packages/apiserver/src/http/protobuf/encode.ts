import type { JsonObject } from '@slipway/kube';
import { messageOfKind } from '../../kinds/types/index.js';
import { encodeMessage, writeMessage } from './encode-message.js';
import { magic } from './envelope.js';
import { WireWriter } from './wire-writer.js';

/** An encoded message with its apiVersion and kind. The message is split into chunks; a list has a chunk for each item. */
export interface EncodedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: readonly Buffer[];
}

/** Encodes an object or list of a built-in kind; undefined for kinds without a protobuf form. */
export function encodeKind(object: JsonObject): EncodedKind | undefined {
  const apiVersion = textOf(object.apiVersion);
  const kind = textOf(object.kind);
  const slash = apiVersion.indexOf('/');
  const message = messageOfKind(slash < 0 ? '' : apiVersion.slice(0, slash), apiVersion.slice(slash + 1), kind);
  return message === undefined ? undefined : { apiVersion, kind, message: [encodeMessage(message, object)] };
}

// Encoding is synchronous, so all calls share one writer.
const writer = new WireWriter();
// Go writes content encoding and content type even if they are empty.
const envelopeTail = Buffer.from([0x1a, 0, 0x22, 0]);

/** Wraps a message in the envelope: magic, apiVersion and kind, raw message. */
export function envelopePieces({ apiVersion, kind, message }: EncodedKind): Buffer[] {
  writer.clear();
  writer.head(2, lengthOf(message));
  const before = writer.mark;
  writer.string(2, kind);
  writer.string(1, apiVersion);
  writer.close(1, before);
  writer.raw(magic);
  return [writer.finish(), ...message, envelopeTail];
}

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

function fieldHead(number: number, length: number): Buffer {
  writer.head(number, length);
  return writer.finish();
}

/** Assembles a list from its encoded items. */
export function encodeList(
  type: Omit<EncodedKind, 'message'>,
  metadata: JsonObject,
  items: readonly EncodedKind[],
): EncodedKind {
  const message = [listMetadata(metadata)];
  for (const item of items) message.push(fieldHead(2, lengthOf(item.message)), ...item.message);
  return { ...type, message };
}

function listMetadata(metadata: JsonObject): Buffer {
  writer.clear();
  writeMessage(writer, 'k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta', metadata);
  writer.close(1, 0);
  return writer.finish();
}

/** Encodes one event of a protobuf watch: a length, then the event with the enveloped object inside. */
export function watchFramePieces(type: string, encoded: EncodedKind): Buffer[] {
  const body = envelopePieces(encoded);
  const bodyLength = lengthOf(body);
  writer.clear();
  writer.head(1, bodyLength);
  writer.head(2, writer.mark + bodyLength);
  writer.string(1, type);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(writer.mark + bodyLength);
  writer.raw(length);
  return [writer.finish(), ...body];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
