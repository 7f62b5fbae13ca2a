import { deepEqual } from '../../json/index.js';
import { type FieldError, forbiddenField, formatFieldError, invalidField, requiredField } from '../../errors/index.js';
import { getOwn } from '../model/own-property.js';
import { compilePattern } from '../model/pattern.js';
import type { Schema } from '../schema.js';
import { checkCompleteness } from './check-completeness.js';
import { foreign, hasKeys, isSet, itemsOf } from './foreign-schema.js';

type Level = 'root' | 'item' | 'field';

/** Checks the rules of structural schemas: every node has a type, alternatives only restrict, metadata is not specified. */
export function checkInvariants(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, 'root', path, errors);
  checkCompleteness(schema, path, errors);
  const texts = new Map(errors.map((error) => [error, formatFieldError(error)]));
  return errors.sort((left, right) => ((texts.get(left) ?? '') < (texts.get(right) ?? '') ? -1 : 1));
}

function checkNode(schema: Schema, level: Level, path: string, errors: FieldError[]): void {
  const items = itemsOf(foreign(schema));
  if (schema.type === 'array' && items === undefined) errors.push(requiredField(`${path}.items`, 'must be specified'));
  if (items !== undefined) checkNode(items, 'item', `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    checkNode(child, 'field', `${path}.properties[${name}]`, errors);
  }
  checkAdditional(schema.additionalProperties, level, `${path}.additionalProperties`, errors);
  checkExtensions(schema, path, errors);
  checkAlternatives(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), path, errors);
  checkNodeType(schema, level, path, errors);
  checkMetaProperties(schema, level, path, errors);
}

function checkAdditional(
  additional: Schema['additionalProperties'],
  level: Level,
  path: string,
  errors: FieldError[],
): void {
  if (!isSet(additional)) return;
  if (level === 'root') errors.push(forbiddenField(path, 'must not be used at the root'));
  if (typeof additional === 'object') checkNode(additional, 'field', path, errors);
}

function checkExtensions(schema: Schema, path: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  const text = 'must be false if x-kubernetes-int-or-string is true';
  for (const keyword of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[keyword] === true) errors.push(invalidField(`${path}.${keyword}`, true, text));
  }
}

const emptyTypeTexts: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkNodeType(schema: Schema, level: Level, path: string, errors: FieldError[]): void {
  const type = schema.type ?? '';
  if (schema['x-kubernetes-embedded-resource'] === true) checkEmbeddedNode(schema, type, path, errors);
  else if (type === '' && !mayBeUntyped(schema)) errors.push(requiredField(`${path}.type`, emptyTypeTexts[level]));
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidField(`${path}.type`, type, 'must be object at the root'));
  }
}

function mayBeUntyped(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function checkEmbeddedNode(schema: Schema, type: string, path: string, errors: FieldError[]): void {
  if (type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? requiredField(`${path}.type`, text) : invalidField(`${path}.type`, type, text));
  }
  if (isSet(schema.additionalProperties)) {
    const text = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenField(`${path}.additionalProperties`, text));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true && !hasKeys(schema.properties)) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredField(`${path}.properties`, text));
  }
}

function checkMetaProperties(schema: Schema, level: Level, path: string, errors: FieldError[]): void {
  const properties = schema.properties ?? {};
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  if (!isResource) return;
  for (const [name, type] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = getOwn(properties, name);
    if (property === undefined || property.type === type) continue;
    errors.push(invalidField(`${path}.properties[${name}].type`, property.type ?? '', `must be ${type}`));
  }
  const metadata = getOwn(properties, 'metadata');
  if (level === 'root' && metadata !== undefined && !restrictsOnlyNames(metadata)) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(`${path}.properties[metadata]`, text));
  }
}

function restrictsOnlyNames(metadata: Schema): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  if (Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName')) return false;
  return Object.values(rest).every((value) => !isSet(value) || value === '' || value === false);
}

const intOrStringAlternatives = [{ type: 'integer' }, { type: 'string' }];

function isIntOrString(alternatives: readonly Schema[] | undefined): boolean {
  if (alternatives?.length !== 2) return false;
  return alternatives.every((alternative, index) => {
    const keys = Object.keys(alternative);
    return keys.length === 1 && deepEqual(alternative.type, intOrStringAlternatives[index]?.type);
  });
}

function checkAlternatives(
  schema: Schema,
  skipAnyOf: boolean,
  skipFirstOfAll: boolean,
  path: string,
  errors: FieldError[],
): void {
  if (!skipAnyOf) schema.anyOf?.forEach((item, index) => checkNested(item, false, `${path}.anyOf[${index}]`, errors));
  schema.allOf?.forEach((item, index) => {
    checkNested(item, skipFirstOfAll && index === 0, `${path}.allOf[${index}]`, errors);
  });
  schema.oneOf?.forEach((item, index) => checkNested(item, false, `${path}.oneOf[${index}]`, errors));
  if (schema.not !== undefined) checkNested(schema.not, false, `${path}.not`, errors);
  if (schema.pattern === undefined || schema.pattern === '') return;
  const compiled = compilePattern(schema.pattern);
  if ('error' in compiled) {
    const text = `must be a valid regular expression, but isn't: ${compiled.error}`;
    errors.push(invalidField(`${path}.pattern`, schema.pattern, text));
  }
}

type Ban = readonly [keyword: keyof Schema, text: string, present: (schema: Schema) => boolean];

// Keywords that alternatives must not contain. Alternatives may only restrict; keywords that define the structure belong outside.
const nestedBans: readonly Ban[] = [
  ['type', 'must be empty to be structural', (schema) => (schema.type ?? '') !== ''],
  ['additionalProperties', 'must be undefined to be structural', (schema) => isSet(schema.additionalProperties)],
  ['default', 'must be undefined to be structural', (schema) => isSet(schema.default)],
  ['title', 'must be empty to be structural', (schema) => (schema.title ?? '') !== ''],
  ['description', 'must be empty to be structural', (schema) => (schema.description ?? '') !== ''],
  ['nullable', 'must be false to be structural', (schema) => schema.nullable === true],
  ...(
    ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'] as const
  ).map((keyword): Ban => [keyword, 'must be false to be structural', (schema) => schema[keyword] === true]),
  [
    'x-kubernetes-list-map-keys',
    'must be empty to be structural',
    (schema) => (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0,
  ],
  ['x-kubernetes-list-type', 'must be undefined to be structural', (schema) => isSet(schema['x-kubernetes-list-type'])],
  ['x-kubernetes-map-type', 'must be undefined to be structural', (schema) => isSet(schema['x-kubernetes-map-type'])],
  [
    'x-kubernetes-validations',
    'must be empty to be structural',
    (schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0,
  ],
];

function checkNested(schema: Schema, skipAnyOf: boolean, path: string, errors: FieldError[]): void {
  checkAlternatives(schema, skipAnyOf, false, path, errors);
  const items = itemsOf(foreign(schema));
  if (items !== undefined) checkNested(items, false, `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    checkNested(child, false, `${path}.properties[${name}]`, errors);
  }
  for (const [keyword, text, present] of nestedBans) {
    if (present(schema)) errors.push(forbiddenField(`${path}.${keyword}`, text));
  }
  if (Object.hasOwn(schema.properties ?? {}, 'metadata')) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}
