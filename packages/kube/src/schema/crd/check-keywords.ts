import { type FieldError, forbiddenField, invalidField, notSupported, requiredField } from '../../errors/index.js';
import { getOwn } from '../model/own-property.js';
import type { Schema } from '../schema.js';
import { type ForeignSchema, foreign, hasKeys, isSchemaList, isSet, itemsOf } from './foreign-schema.js';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The requirements to enforce on a CRD. A requirement that the stored CRD already violates is not enforced. */
export interface KeywordRequirements {
  readonly validTypes: boolean;
  readonly atomicSets: boolean;
  readonly mapListKeys: boolean;
}

/** Why a node must not have a default, or undefined if it may. */
export type DefaultBan = string | undefined;

/** Reports unsupported keywords. */
export function checkSupported(
  node: Schema,
  path: string,
  requirements: KeywordRequirements,
  defaultBan: DefaultBan,
  errors: FieldError[],
): void {
  const schema = foreign(node);
  const type = schema.type ?? '';
  if (requirements.validTypes && type !== '' && !types.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, types));
  }
  if (isSet(schema.default) && defaultBan !== undefined) {
    errors.push(forbiddenField(`${path}.default`, `must not be set ${defaultBan}`));
  }
  checkUnsupported(schema, path, errors);
}

function checkUnsupported(schema: ForeignSchema, path: string, errors: FieldError[]): void {
  for (const [keyword, present] of unsupportedKeywords) {
    if (present(schema)) errors.push(forbiddenField(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (schema.type === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (isSchemaList(schema.items)) {
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(`${path}.uniqueItems`, text));
  }
}

const unsupportedKeywords: readonly (readonly [string, (schema: ForeignSchema) => boolean])[] = [
  ['id', (schema) => (schema.id ?? '') !== ''],
  ['additionalItems', (schema) => isSet(schema.additionalItems)],
  ['patternProperties', (schema) => hasKeys(schema.patternProperties)],
  ['definitions', (schema) => hasKeys(schema.definitions)],
  ['dependencies', (schema) => isSet(schema.dependencies)],
  ['$ref', (schema) => isSet(schema.$ref)],
];

/** Returns whether the schema can be read as a structural schema: it has no keyword that prevents that. */
export function isReadable(root: Schema): boolean {
  const pending: Schema[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const schema = foreign(node);
    if (isSchemaList(schema.items) || schema['x-kubernetes-preserve-unknown-fields'] === false) return false;
    if (unsupportedKeywords.some(([, present]) => present(schema))) return false;
    pending.push(...everyChild(node));
  }
  return true;
}

/** Returns all direct child nodes, including alternatives. */
export function everyChild(schema: Schema): readonly Schema[] {
  const items = itemsOf(foreign(schema));
  return [
    ...Object.values(schema.properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.not === undefined ? [] : [schema.not]),
  ];
}

export function checkExclusiveProperties(schema: Schema, path: string, errors: FieldError[]): void {
  const additional = schema.additionalProperties;
  if (!isSet(additional) || additional === true || !hasKeys(schema.properties)) return;
  const text = 'additionalProperties and properties are mutual exclusive';
  errors.push(forbiddenField(`${path}.additionalProperties`, text));
}

export function checkMapType(schema: Schema, path: string, errors: FieldError[]): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (!isSet(mapType)) return;
  checkContainerType(schema, 'object', 'x-kubernetes-map-type', path, errors);
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
}

function checkContainerType(
  schema: Schema,
  requiredType: string,
  keyword: string,
  path: string,
  errors: FieldError[],
): boolean {
  const type = schema.type ?? '';
  if (type === requiredType) return true;
  const text = `must be ${requiredType} if ${keyword} is specified`;
  errors.push(type === '' ? requiredField(`${path}.type`, text) : invalidField(`${path}.type`, type, text));
  return false;
}

export function checkListType(
  schema: Schema,
  path: string,
  requirements: KeywordRequirements,
  errors: FieldError[],
): void {
  const listType = schema['x-kubernetes-list-type'];
  const items = itemsOf(foreign(schema));
  if (isSet(listType)) checkListTypeValue(schema, items, path, requirements, errors);
  if ((schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0 && listType !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const keyPath = `${path}.x-kubernetes-list-type`;
    errors.push(isSet(listType) ? invalidField(keyPath, listType, text) : requiredField(keyPath, text));
  }
  if (listType === 'map') checkMapList(schema, items, path, errors);
  if (requirements.mapListKeys) errors.push(...mapListKeyProblems(schema, path));
}

const listTypes: readonly unknown[] = ['atomic', 'set', 'map'];

function checkListTypeValue(
  schema: Schema,
  items: Schema | undefined,
  path: string,
  requirements: KeywordRequirements,
  errors: FieldError[],
): void {
  const listType = schema['x-kubernetes-list-type'];
  const isArray = checkContainerType(schema, 'array', 'x-kubernetes-list-type', path, errors);
  if (isArray && requirements.atomicSets) checkAtomicSet(schema, items, path, errors);
  if (!listTypes.includes(listType)) {
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes));
  }
}

/** Checks that the items of a set are atomic, because they are compared as a whole. */
function checkAtomicSet(schema: Schema, items: Schema | undefined, path: string, errors: FieldError[]): void {
  const keyword = nonAtomicKeyword(schema, items);
  if (keyword === undefined) return;
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  errors.push(invalidField(`${path}.items.${keyword}`, items?.['x-kubernetes-list-type'], text));
}

export function nonAtomicKeyword(
  schema: Schema,
  items: Schema | undefined,
): 'x-kubernetes-list-type' | 'x-kubernetes-map-type' | undefined {
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return undefined;
  const itemListType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && isSet(itemListType) && itemListType !== 'atomic') return 'x-kubernetes-list-type';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic' ? 'x-kubernetes-map-type' : undefined;
}

function checkMapList(schema: Schema, items: Schema | undefined, path: string, errors: FieldError[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) {
    errors.push(requiredField(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (items === undefined) {
    if (!isSchemaList(foreign(schema).items)) {
      errors.push(requiredField(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    }
    return;
  }
  if (items.type !== 'object') {
    const text = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidField(`${path}.items.type`, items.type ?? '', text));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    checkMapKey(items, key, keys, path, errors);
    if (seen.has(key)) errors.push(invalidField(keysPath, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

function checkMapKey(items: Schema, key: string, keys: readonly string[], path: string, errors: FieldError[]): void {
  const property = getOwn(items.properties ?? {}, key);
  if (property === undefined) {
    const text = 'entries must all be names of item properties';
    errors.push(invalidField(`${path}.x-kubernetes-list-map-keys`, keys, text));
  } else if (property.type === 'array' || property.type === 'object') {
    const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    // Like upstream, print the type of the items instead of the type of the key.
    errors.push(invalidField(`${path}.items.properties[${key}].type`, items.type, text));
  }
}

/** Checks that items of sets and map lists are not nullable, and that every key of a map list has a value. */
export function mapListKeyProblems(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema['x-kubernetes-list-type'];
  const items = itemsOf(foreign(schema));
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return errors;
  if (items.nullable === true) {
    const text = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(`${path}.items.nullable`, text));
  }
  if (listType === 'set') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) checkMapKeyValue(items, key, path, errors);
  return errors;
}

function checkMapKeyValue(items: Schema, key: string, path: string, errors: FieldError[]): void {
  const property = getOwn(items.properties ?? {}, key);
  if (property === undefined) return;
  const keyPath = `${path}.items.properties[${key}]`;
  const subject = 'this property is in x-kubernetes-list-map-keys, so it';
  if (items.required?.includes(key) !== true && !isSet(property.default)) {
    errors.push(requiredField(`${keyPath}.default`, `${subject} must have a default or be a required property`));
  }
  if (property.nullable === true) errors.push(forbiddenField(`${keyPath}.nullable`, `${subject} cannot be nullable`));
}
