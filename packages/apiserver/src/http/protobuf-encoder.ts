import { asJson, type Frozen, type JsonObject, type KubeObject, StatusError } from '@slipway/kube';
import { type EncodedKind, encodeKind, encodeList, envelopePieces } from './protobuf/encode.js';
import type { Answer, ListAnswer, ResourceEndpoint } from '../contract/index.js';
import type { ViewVersion } from './tables/partial-metadata.js';
import { apiVersionOf, listMetadata } from './answer-encoder.js';
import { EncodedCache } from './encoded-cache.js';

// Size of the cache of encoded objects: enough for a few thousand. Watchers of one object and successive lists share encodings.
const objectBytesMax = 8 * 1024 * 1024;
const encodedObjects = new EncodedCache<EncodedKind>(objectBytesMax);

/** Encodes a response of a built-in kind, once for all requests. */
export function encodeAnswer(answer: Answer): EncodedKind {
  const key = answer.stored ?? answer.object;
  const cached = encodedObjects.get(key);
  if (cached !== undefined) return cached;
  const encoded = encodeOrRefuse(asJson(answer.object));
  if (answer.stored !== undefined) encodedObjects.set(key, encoded, encoded.message[0]?.length ?? 0);
  return encoded;
}

export function encodeOrRefuse(value: JsonObject): EncodedKind {
  const encoded = encodeKind(value);
  if (encoded !== undefined) return encoded;
  throw new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `object ${JSON.stringify(value.kind)} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  });
}

export function encodeMetadataMessage(object: Frozen<KubeObject>, version: ViewVersion): EncodedKind {
  const partial = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
  return encodeOrRefuse(asJson(partial));
}

export function encodeListAnswer(endpoint: ResourceEndpoint, list: ListAnswer): EncodedKind {
  const type = { kind: endpoint.definition.listKind, apiVersion: apiVersionOf(endpoint) };
  return encodeList(type, listMetadata(list, false), list.items.map(encodeAnswer));
}

export function encodeMetadataList(list: ListAnswer, version: ViewVersion): EncodedKind {
  const type = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}` };
  const items = list.items.map(({ object }) => encodeMetadataMessage(object, version));
  return encodeList(type, listMetadata(list, false), items);
}

/** Encodes a Status, a review or a discovery document: anything other than an object of the endpoint. */
export function encodeProtobufValue(value: unknown): Buffer {
  return Buffer.concat(envelopePieces(encodeOrRefuse(value as JsonObject)));
}
