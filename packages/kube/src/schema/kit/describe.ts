import { canonicalJson } from '../../json/index.js';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../crd/custom-resource-definition.js';
import type { Schema } from '../schema.js';

/**
 * Formats a schema as lines of path, type (with `!` if required) and constraints, separated by tabs and sorted by path.
 * Schemas with the same output are compatible for clients. Descriptions are not included.
 */
export function describeFields(schema: Schema): string[] {
  const lines: string[] = [];
  describeChildren(schema, '', lines);
  return lines;
}

/** Formats a whole CRD in the same notation: a heading, then each version with its columns and fields. */
export function describeDefinition(definition: CustomResourceDefinition): string {
  const { group, names, scope, versions } = definition.spec;
  const heading =
    `# ${names.kind}  ${group}  ${scope}  plural=${names.plural}` +
    `  short=${(names.shortNames ?? []).join(',')}  categories=${(names.categories ?? []).join(',')}`;
  return `${[heading, ...versions.flatMap((version) => ['', ...describeVersion(version)])].join('\n')}\n`;
}

function describeVersion(version: CustomResourceDefinitionVersion): string[] {
  const schema = version.schema?.openAPIV3Schema;
  const lines = [versionHeading(version), ...describeScale(version), ...describeColumns(version)];
  if (schema === undefined) return lines;
  const rootRules = (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => `root rule{${rule}}`);
  return [...lines, ...rootRules, ...describeFields(withoutMeta(schema))];
}

function versionHeading(version: CustomResourceDefinitionVersion): string {
  const subresources = (['scale', 'status'] as const).filter((name) => version.subresources?.[name] !== undefined);
  return (
    `## ${version.name} served=${version.served} storage=${version.storage} subresources=${subresources.join(',')}` +
    (version.deprecated === true ? ' deprecated' : '')
  );
}

function describeScale(version: CustomResourceDefinitionVersion): string[] {
  const paths = Object.entries(version.subresources?.scale ?? {}).sort(byName);
  return paths.length === 0 ? [] : [`scale: ${paths.map(([key, value]) => `${key}=${value}`).join(' ')}`];
}

function describeColumns(version: CustomResourceDefinitionVersion): string[] {
  return (version.additionalPrinterColumns ?? []).map(({ name, type, jsonPath, priority = 0 }) => {
    const text = `column: ${name} | ${type} | ${jsonPath}`;
    return priority === 0 ? text : `${text} | priority=${priority}`;
  });
}

// Removes apiVersion, kind and metadata, which every kind has: the notation omits them.
function withoutMeta(schema: Schema): Schema {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function describeChildren(schema: Schema, path: string, lines: string[]): void {
  const required = new Set(schema.required);
  for (const [name, child] of Object.entries(schema.properties ?? {}).sort(byName)) {
    describeField(child, path === '' ? name : `${path}.${name}`, required.has(name), lines);
  }
  if (typeof schema.additionalProperties === 'object')
    describeChildren(schema.additionalProperties, `${path}.*`, lines);
  if (schema.items === undefined) return;
  if (schema.items.type === 'array') describeField(schema.items, `${path}[]`, false, lines);
  else describeChildren(schema.items, `${path}[]`, lines);
}

function describeField(schema: Schema, path: string, required: boolean, lines: string[]): void {
  const parts = [path, `${typeName(schema)}${required ? '!' : ''}`];
  const constraints = [...constraintsOf(schema), ...innerConstraints(schema)];
  if (constraints.length > 0) parts.push(constraints.join(' '));
  lines.push(parts.join('\t'));
  describeChildren(schema, path, lines);
}

function typeName(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  if (schema.type === 'array') return `[]${schema.items === undefined ? 'any' : itemTypeName(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') {
    return `map[string]${itemTypeName(schema.additionalProperties)}`;
  }
  return schema.type ?? 'any';
}

function itemTypeName(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type ?? 'any';
}

/** Returns the constraints on the items of a list or the values of a map, unless they have their own lines. */
function innerConstraints(schema: Schema): string[] {
  if (schema.items !== undefined && schema.items.type !== 'array') return labelled('items', schema.items);
  if (typeof schema.additionalProperties === 'object') return labelled('values', schema.additionalProperties);
  return [];
}

function labelled(label: string, schema: Schema): string[] {
  const constraints = constraintsOf(schema);
  return constraints.length === 0 ? [] : [`${label}:${constraints.join(' ')}`];
}

type Printer = readonly [label: string, value: (schema: Schema) => string | number | boolean | undefined];

// Formats the constraints, in the order in which they are printed.
const printers: readonly Printer[] = [
  ['enum', (schema) => schema.enum?.map((item) => (typeof item === 'string' ? item : canonicalJson(item))).join('|')],
  ['format', (schema) => schema.format],
  ['pattern', (schema) => schema.pattern],
  ['minLength', (schema) => schema.minLength],
  ['maxLength', (schema) => schema.maxLength],
  ['minimum', (schema) => schema.minimum],
  ['maximum', (schema) => schema.maximum],
  ['minItems', (schema) => schema.minItems],
  ['maxItems', (schema) => schema.maxItems],
  ['minProperties', (schema) => schema.minProperties],
  ['maxProperties', (schema) => schema.maxProperties],
  ['nullable', (schema) => (schema.nullable === true ? true : undefined)],
  ['list-type', (schema) => schema['x-kubernetes-list-type']],
  ['list-map-keys', (schema) => schema['x-kubernetes-list-map-keys']?.join(',')],
  ['map-type', (schema) => schema['x-kubernetes-map-type']],
  ['preserve-unknown-fields', (schema) => schema['x-kubernetes-preserve-unknown-fields']],
  ['embedded-resource', (schema) => schema['x-kubernetes-embedded-resource']],
  ['int-or-string', (schema) => schema['x-kubernetes-int-or-string']],
  ['default', (schema) => (schema.default === undefined ? undefined : canonicalJson(schema.default))],
];

function constraintsOf(schema: Schema): string[] {
  const texts: string[] = [];
  for (const [label, read] of printers) {
    const value = read(schema);
    if (value !== undefined) texts.push(`${label}=${String(value)}`);
  }
  for (const { rule } of schema['x-kubernetes-validations'] ?? []) texts.push(`rule{${rule}}`);
  return texts;
}
