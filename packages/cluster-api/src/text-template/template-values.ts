import { formatGoFloat } from '@slipway/kube';
import { TemplateError } from './template-error.js';

export type TemplateFunction = (operands: readonly unknown[]) => unknown;
export type TemplateFunctions = ReadonlyMap<string, TemplateFunction>;

export type Dictionary = Readonly<Record<string, unknown>>;

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is true in Go templates: not false, zero, nil or empty. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Formats a value for output. JSON numbers are floats, template numbers are integers. */
export function printed(value: unknown, nothing = '<no value>'): string {
  if (value === undefined || value === null) return nothing;
  if (typeof value === 'number') return formatGoFloat(value);
  if (Array.isArray(value)) return `[${value.map((item) => printed(item, '<nil>')).join(' ')}]`;
  if (!isDictionary(value)) return String(value as string | bigint | boolean);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${printed(value[key], '<nil>')}`);
  return `map[${members.join(' ')}]`;
}

/** Returns the Go type name: `string`, `float64`, `map[string]interface {}`. */
export function typeName(value: unknown): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  const names: Partial<Record<string, string>> = {
    string: 'string',
    number: 'float64',
    bigint: 'int',
    boolean: 'bool',
    object: 'map[string]interface {}',
  };
  return names[typeof value] ?? typeof value;
}

export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TemplateError(`error calling ${name}: expected string, got ${typeName(value)}`);
}

export function listOf(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TemplateError(`error calling ${name}: expected a list, got ${typeName(value)}`);
}

export function dictionaryOf(name: string, value: unknown): Dictionary {
  if (isDictionary(value)) return value;
  throw new TemplateError(`error calling ${name}: expected a dict, got ${typeName(value)}`);
}

/** Converts a value to an integer, like sprig. */
export function integerOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const [text] = /^\s*[-+]?\d{1,30}\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  return text === undefined ? 0n : BigInt(text.trim().replace(/^\+/, ''));
}

export function floatOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : 0;
  return Number.isNaN(parsed) ? 0 : parsed;
}

export const sizeMax = 1_048_576;

/** Throws if the result of a function exceeds the output limit of a template. */
export function bounded(name: string, size: number): void {
  if (size > sizeMax) throw new TemplateError(`error calling ${name}: the result is too large`);
}

export function wants(name: string, operands: readonly unknown[], min: number, max = min): void {
  if (operands.length >= min && operands.length <= max) return;
  const desired = min === max ? `${min}` : `at least ${min}`;
  throw new TemplateError(`wrong number of args for ${name}: want ${desired} got ${operands.length}`);
}
