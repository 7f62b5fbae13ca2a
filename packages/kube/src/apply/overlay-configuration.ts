import { cloneJson, type JsonObject, type JsonValue, type MutableJsonObject } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { type FieldType, rootFieldType } from './field-type.js';
import { isList, isMap } from './forms.js';
import { mergeObjects } from './merge.js';
import { TypedError } from './typed-error.js';
import { validateTyped } from './validate-typed.js';

/**
 * Merges a configuration into an object like apply, but without ownership, for mutating admission policies. Rejects atomic
 * parts, because a policy that sets one field of such a part would silently drop the others. Throws an Error with
 * upstream's message. The caller owns the result.
 */
export function overlayConfiguration(schema: Schema, live: JsonObject, config: JsonObject): MutableJsonObject {
  const type = rootFieldType(schema);
  const problems = validateTyped(config, type);
  if (problems.length > 0)
    throw new Error(`failed to convert patch object to typed object: ${new TypedError(problems).message}`);
  const atomics: string[] = [];
  collectAtomics(config, type, '', atomics);
  if (atomics.length > 0)
    throw new Error(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  return cloneJson(merge(live, config, type)) as MutableJsonObject;
}

function merge(live: JsonObject, config: JsonObject, type: FieldType): JsonValue {
  try {
    return mergeObjects(live, config, type);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new Error(`failed to convert original object to typed object: ${error.message}`, { cause: error });
  }
}

function collectAtomics(value: JsonValue, type: FieldType, path: string, atomics: string[]): void {
  if (isMap(value) && type.map !== undefined) {
    if (type.map.atomic) atomics.push(path);
    for (const [name, child] of Object.entries(value)) {
      const member = type.map.field(name);
      if (member !== undefined && child !== undefined) collectAtomics(child, member.type, `${path}.${name}`, atomics);
    }
  }
  if (isList(value) && type.list !== undefined) {
    if (type.list.keys === undefined) atomics.push(path);
    for (const [index, item] of value.entries()) collectAtomics(item, type.list.element, `${path}[${index}]`, atomics);
  }
}
