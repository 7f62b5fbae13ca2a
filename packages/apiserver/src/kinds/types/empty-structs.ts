import type { JsonObject, MutableJson, MutableJsonObject } from '@slipway/kube';
import { isScalar, type MessageField, messageType } from './messages.js';
import { specialForm } from './special.js';

/** A field that JSON always contains, and its zero value. */
interface AlwaysPresentField {
  readonly name: string;
  zero(): MutableJson;
}

const cache = new Map<string, readonly AlwaysPresentField[]>();

/**
 * Returns the fields that every object of a type has, because Go cannot omit them: structs, times that are not pointers (null),
 * and zero values of fields without omitempty.
 */
export function emptyStructs(message: string): JsonObject {
  return fillAlwaysPresent(message, {});
}

/**
 * Adds the always-present fields to a decoded and defaulted object, at every level. Parts that are shared with the stored object
 * are frozen and already complete.
 */
export function completeTyped(message: string, object: MutableJsonObject): void {
  if (Object.isFrozen(object)) return;
  for (const field of nestedFields(message)) {
    const value = object[field.name];
    if (typeof value !== 'object' || value === null) continue;
    if (field.shape === 'singular') completeTyped(field.type, value as MutableJsonObject);
    else for (const item of Object.values(value)) completeItem(field.type, item);
  }
  fillAlwaysPresent(message, object);
}

function completeItem(type: string, item: MutableJson | undefined): void {
  if (typeof item === 'object' && item !== null) completeTyped(type, item as MutableJsonObject);
}

const nestedCache = new Map<string, readonly MessageField[]>();

/** Returns the fields whose type is a message. */
function nestedFields(message: string): readonly MessageField[] {
  const cached = nestedCache.get(message);
  if (cached !== undefined) return cached;
  const fields = messageType(message).fields.flatMap((field) => {
    if (isScalar(field.type)) return [];
    if (field.inline) return nestedFields(field.type);
    return specialForm(field.type) === undefined ? [field] : [];
  });
  nestedCache.set(message, fields);
  return fields;
}

function fillAlwaysPresent(message: string, object: MutableJsonObject): MutableJsonObject {
  for (const field of alwaysPresentFields(message)) object[field.name] ??= field.zero();
  return object;
}

function alwaysPresentFields(message: string): readonly AlwaysPresentField[] {
  const cached = cache.get(message);
  if (cached !== undefined) return cached;
  const fields = messageType(message).fields.flatMap((field) => {
    if (field.inline) return alwaysPresentFields(field.type);
    const zero = zeroOf(field);
    return zero === undefined ? [] : [{ name: field.name, zero }];
  });
  cache.set(message, fields);
  return fields;
}

function zeroOf(field: MessageField): (() => MutableJson) | undefined {
  if (field.pointer) return undefined;
  if (field.shape !== 'singular') return field.omitEmpty ? undefined : () => null;
  if (isScalar(field.type)) return field.omitEmpty ? undefined : () => scalarZero(field.type);
  switch (specialForm(field.type)) {
    case undefined:
      return () => fillAlwaysPresent(field.type, {});
    case 'time':
    case 'micro-time':
      // creationTimestamp is the only zero time that upstream omits.
      return field.name === 'creationTimestamp' ? undefined : () => null;
    case 'quantity':
      return () => '0';
    default:
      return undefined;
  }
}

function scalarZero(type: string): MutableJson {
  if (type === 'string') return '';
  if (type === 'bytes') return null;
  return type === 'bool' ? false : 0;
}
