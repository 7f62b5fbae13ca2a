import {
  JsonError,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  parseJsonValue,
  setKey,
  stringifyJson,
} from '../json/index.js';
import { compareObjects } from './compare.js';
import { difference, type FieldSet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { isMap } from './forms.js';
import { ownedFields } from './owned-fields.js';
import { validateTyped } from './validate-typed.js';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** The field manager of `kubectl apply --server-side`. Only this manager may take over fields of client-side apply. */
export const kubectlManager = 'kubectl';
const annotationBytesMax = 256 * 1024;

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = object['metadata'];
  const annotations = isMap(metadata) ? metadata['annotations'] : undefined;
  return isMap(annotations) ? annotations : undefined;
}

function lastAppliedOf(object: JsonObject): string | undefined {
  const text = annotationsOf(object)?.[lastAppliedAnnotation];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/**
 * Returns the fields that client-side apply set and that have not changed since: server-side apply by kubectl may take them over
 * without a conflict. Undefined if client-side apply was never used on the object, or not at this version.
 */
export function fieldsLastApplied(live: JsonObject, type: FieldType, apiVersion: string): FieldSet | undefined {
  const text = lastAppliedOf(live);
  const applied = text === undefined ? undefined : parseObject(text);
  if (applied === undefined || applied['apiVersion'] !== apiVersion) return undefined;
  if (validateTyped(applied, type).length > 0) return undefined;
  const { added, modified, removed } = compareObjects(applied, live, type);
  return [modified, added, removed].reduce(difference, ownedFields(applied, type));
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJsonValue(text);
    return isMap(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Updates the last-applied annotation if the object has one: client-side apply may follow server-side apply and reads it. */
export function updateLastApplied(object: MutableJsonObject, config: JsonObject): void {
  if (lastAppliedOf(object) === undefined) return;
  const annotations = annotationsOf(object) as MutableJsonObject;
  const text = `${sortedJson(withoutLastApplied(config))}\n`;
  annotations[lastAppliedAnnotation] = text;
  if (annotationBytes(annotations) > annotationBytesMax) delete annotations[lastAppliedAnnotation];
}

function withoutLastApplied(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return config;
  const { [lastAppliedAnnotation]: _lastApplied, ...rest } = annotations;
  return { ...config, metadata: { ...(config['metadata'] as JsonObject), annotations: rest } };
}

function annotationBytes(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}

const escapedByGo = /[<>&\u2028\u2029]/g;

/** Encodes a map like Go, with sorted keys and HTML escaped: kubectl compares the text. */
function sortedJson(value: JsonValue): string {
  const text = stringifyJson(sortKeys(value));
  return text.replace(escapedByGo, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sortKeys);
  if (!isMap(value)) return value;
  const sorted: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) setKey(sorted, key, sortKeys(member));
  }
  return sorted;
}
