import {
  badRequest,
  type JsonValue,
  type MutableJsonObject,
  type ParsedJson,
  parseJson,
  parseYaml,
  StatusError,
} from '@slipway/kube';
import { protobufMediaType } from './protobuf/envelope.js';
import type { DecodedBody, PatchType } from '../contract/index.js';
import { essenceOf } from './media-type.js';
import { jsonMediaType, unsupportedMediaType, yamlMediaType } from './negotiate.js';

type ParseBody = (bytes: Buffer) => ParsedJson;

/**
 * Parses a large YAML body on another thread. `user` is the user name: bodies of the same user are parsed one after
 * another.
 */
export type ParseLargeYaml = (user: string, bytes: Buffer) => Promise<ReturnType<typeof parseYaml>>;

/** YAML of this size takes up to 3 ms to parse. Aliases make it no slower: their expansion is limited. */
const largeYamlBytes = 1_024;

export const bodyBytesMax = 3 * 1024 * 1024;
const jsonPatchOperationsMax = 10_000;

/** Reads the protobuf envelope that Go clients send for built-in kinds. Throws on anything else. */
export type DecodeProtobuf = (bytes: Uint8Array) => {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: MutableJsonObject;
};

/** Parses a large YAML body ahead of decoding. Returns the parser that decodes the body without further work. */
export async function parseAhead(
  bytes: Buffer,
  contentType: string | undefined,
  parse: (bytes: Buffer) => Promise<ParsedJson>,
): Promise<ParseBody> {
  const essence = essenceOf(contentType ?? '');
  const isYaml = essence === yamlMediaType || patchTypes.get(essence ?? '') === 'apply';
  if (!isYaml || bytes.length < largeYamlBytes) return parseYaml;
  try {
    // Most of these bodies are JSON, which is a hundred times faster to parse than other YAML.
    const parsed = tryJson(bytes) ?? (await parse(bytes));
    return () => parsed;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function tryJson(bytes: Buffer): ParsedJson | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

export function bodyTooLarge(): StatusError {
  return tooLarge(`limit is ${bodyBytesMax}`);
}

function tooLarge(detail: string): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${detail}`,
  });
}

/** Decodes bodies of create, update and delete. `kind` is the kind of the endpoint, for error messages. */
export function decodeBody(
  bytes: Buffer,
  contentType: string | undefined,
  kind: string,
  decodeProtobuf: DecodeProtobuf | undefined,
  readYaml: ParseBody = parseYaml,
): DecodedBody {
  const essence = contentType === undefined || contentType === '' ? jsonMediaType : essenceOf(contentType);
  switch (essence) {
    case jsonMediaType:
      return objectBody(bytes, kind, () => parseJson(bytes), "couldn't get version/kind; json parse error: ");
    case yamlMediaType:
      return objectBody(bytes, kind, () => readYaml(bytes), '');
    case protobufMediaType:
      if (decodeProtobuf !== undefined) return decodeProtobufBody(bytes, kind, decodeProtobuf);
  }
  const accepted = [jsonMediaType, yamlMediaType];
  throw unsupportedMediaType(decodeProtobuf === undefined ? accepted : [...accepted, protobufMediaType]);
}

function decodeProtobufBody(bytes: Buffer, kind: string, decodeProtobuf: DecodeProtobuf): DecodedBody {
  try {
    const { apiVersion, kind: bodyKind, object } = decodeProtobuf(bytes);
    object['apiVersion'] = apiVersion;
    object['kind'] = bodyKind;
    return { value: object, duplicateKeys: [] };
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw unrecognized(bytes, kind, messageOf(error));
  }
}

function objectBody(bytes: Buffer, kind: string, parse: () => ParsedJson, prefix: string): DecodedBody {
  let parsed: ParsedJson;
  try {
    parsed = parse();
  } catch (error) {
    throw unrecognized(bytes, kind, `${prefix}${messageOf(error)}`);
  }
  const { value, ...keys } = parsed;
  // Treat null as an empty object, like upstream's typed decoder.
  if (value === null && bytes.length > 0) return { value: {}, ...keys };
  if (!isObject(value))
    throw unrecognized(bytes, kind, `couldn't get version/kind; json parse error: ${notAnObject(value)}`);
  return { value, ...keys };
}

/** Decodes DeleteOptions. Like upstream, error messages do not name the kind, because options are decoded before it is known. */
export function decodeDeleteOptions(
  bytes: Buffer,
  contentType: string | undefined,
  decodeProtobuf: DecodeProtobuf | undefined,
  readYaml?: ParseBody,
): DecodedBody {
  try {
    return decodeBody(bytes, contentType, deleteOptionsKind, decodeProtobuf, readYaml);
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    const [, problem] = unrecognizedOptions.exec(error.message) ?? [];
    throw problem === undefined ? error : badRequest(problem);
  }
}

const deleteOptionsKind = 'DeleteOptions';
const unrecognizedOptions = new RegExp(
  `^the object provided is unrecognized \\(must be of type ${deleteOptionsKind}\\): (.*) \\([^()]*\\)$`,
  's',
);

function isObject(value: JsonValue): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(value: JsonValue): string {
  const type = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

const summaryBytesMax = 30;

function unrecognized(bytes: Buffer, kind: string, problem: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(bytes)})`);
}

/** Returns the start of the body for error messages: as text if it looks like JSON, otherwise in hexadecimal. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, summaryBytesMax).toString(bytes[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > summaryBytesMax ? `${start} ...` : start;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const patchTypes: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

/**
 * Returns the patch type of a Content-Type. Custom resources do not support strategic merge, which needs the patch metadata of
 * built-in kinds.
 */
export function patchTypeOf(contentType: string | undefined, custom: boolean): PatchType {
  const type = patchTypes.get(essenceOf(contentType ?? '') ?? '');
  if (type !== undefined && !(custom && type === 'strategic')) return type;
  if (!custom)
    throw new StatusError({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
      details: {},
    });
  throw unsupportedMediaType([...patchTypes].filter(([, name]) => name !== 'strategic').map(([name]) => name));
}

export function decodePatch(
  bytes: Buffer,
  type: PatchType,
  readYaml: ParseBody = parseYaml,
): { readonly type: PatchType; readonly value: unknown; readonly duplicateKeys: readonly string[] } {
  try {
    const { value, duplicateKeys } = type === 'apply' ? readYaml(bytes) : parseJson(bytes);
    if (type === 'json' && Array.isArray(value) && value.length > jsonPatchOperationsMax)
      throw tooLarge(
        `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${value.length}`,
      );
    return { type, value, duplicateKeys };
  } catch (error) {
    if (error instanceof StatusError) throw error;
    // Upstream decodes a strategic merge patch with another decoder, which adds no prefix to errors.
    if (type === 'strategic') throw badRequest(messageOf(error));
    throw badRequest(`${type === 'apply' ? 'error decoding YAML' : 'error decoding patch'}: ${messageOf(error)}`);
  }
}
