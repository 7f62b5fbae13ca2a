import type { Schema } from '@slipway/kube';

/** Returns the type of a field for readers: `list of objects`, `map of strings`, `quantity`. */
export function typeText(schema: Schema): string {
  if (schema.type === 'array')
    return `list of ${plural(schema.items === undefined ? 'value' : typeText(schema.items))}`;
  const values = schema.additionalProperties;
  if (typeof values === 'object') return `map of ${plural(typeText(values))}`;
  if (schema['x-kubernetes-int-or-string'] === true)
    return schema.pattern?.includes('[KMGTPE]i') === true ? 'quantity' : 'integer or string';
  if (schema.format === 'date-time' || schema.format === 'int32' || schema.format === 'int64') return schema.format;
  return schema.type ?? 'any value';
}

function plural(text: string): string {
  if (text.startsWith('list') || text.startsWith('map')) return text.replace(/^(list|map)/, '$1s');
  if (text === 'integer or string') return 'integers or strings';
  if (text === 'any value') return 'values';
  return text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}s`;
}

/** Returns the constraints of a field as sentences, including those of its items or values. */
export function constraintSentences(schema: Schema): string[] {
  const inner = schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {});
  const label = schema.items === undefined ? 'Values' : 'Items';
  return [
    ...ownSentences(schema),
    ...ownSentences(inner).map((sentence) => `${label}: ${lowerFirst(sentence)}`),
    ...(schema['x-kubernetes-validations'] ?? []).map(ruleSentence),
  ];
}

function ownSentences(schema: Schema): string[] {
  return [
    schema.enum === undefined ? '' : `One of: ${schema.enum.map((value) => code(valueText(value))).join(', ')}.`,
    between(schema.minLength, schema.maxLength, 'character'),
    between(schema.minItems, schema.maxItems, 'item'),
    between(
      schema.minProperties,
      schema.maxProperties,
      typeof schema.additionalProperties === 'object' ? 'key' : 'field',
    ),
    numberRange(schema),
    formatSentence(schema),
    schema.nullable === true ? 'May be null.' : '',
    ...mergeSentences(schema),
    schema['x-kubernetes-preserve-unknown-fields'] === true ? 'Unknown fields are preserved.' : '',
    schema['x-kubernetes-embedded-resource'] === true ? 'A complete Kubernetes object.' : '',
  ].filter((sentence) => sentence !== '');
}

/** Returns a sentence about the format. Quantities have none, because their pattern is part of their type. */
function formatSentence(schema: Schema): string {
  const isNamed = schema.format === undefined || /^(date-time|int32|int64)$/.test(schema.format);
  const format = isNamed ? '' : `Format: ${schema.format}.`;
  const pattern =
    schema.pattern === undefined || typeText(schema) === 'quantity' ? '' : `Pattern: ${code(schema.pattern)}.`;
  return [format, pattern].filter((each) => each !== '').join(' ');
}

function mergeSentences(schema: Schema): string[] {
  const sentences: string[] = [];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys !== undefined) sentences.push(`Items are identified by ${keys.map(code).join(' and ')}.`);
  if (schema['x-kubernetes-list-type'] === 'set') sentences.push('Items are unique.');
  if (schema['x-kubernetes-list-type'] === 'atomic' || schema['x-kubernetes-map-type'] === 'atomic')
    sentences.push('Server-side apply replaces it as a whole.');
  return sentences;
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const units = (count: number): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (least !== undefined && most !== undefined)
    return least === most ? `Exactly ${units(least)}.` : `${least} to ${units(most)}.`;
  if (least !== undefined) return `At least ${units(least)}.`;
  return most === undefined ? '' : `At most ${units(most)}.`;
}

function numberRange({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  return maximum === undefined ? '' : `At most ${maximum}.`;
}

function ruleSentence({ rule, message }: { readonly rule: string; readonly message?: string }): string {
  return message === undefined ? `Rule: ${code(rule)}.` : `Rule: ${cellText(message.replace(/\.$/, ''))}.`;
}

export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a code span for a table cell. An empty string is quoted, because Markdown has no empty code span. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${(text === '' ? '""' : text).replaceAll('|', '\\|')}${fence}`;
}

/** Returns text for a table cell, with Markdown and HTML escaped except in code spans. */
export function cellText(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeText(part)))
    .join('');
}

function escapeText(text: string): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll(/([|*])/g, '\\$1')
    .replaceAll('\n', ' ');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
