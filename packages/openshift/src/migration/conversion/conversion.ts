import type { FieldError, JsonObject, JsonValue } from '@slipway/kube';

/** What came out of a conversion, and what is to be told of it. */
export interface Converted<T> {
  readonly value: T;
  /** What is lost, and does not matter enough to refuse it. */
  readonly warnings: readonly string[];
  /** What has no place on the other side: nothing is written, and only an edit helps. */
  readonly errors: readonly FieldError[];
}

/** Gathers what is to be told while something is converted. */
export class Notes {
  readonly warnings: string[] = [];
  readonly errors: FieldError[] = [];

  warn(text: string): void {
    this.warnings.push(text);
  }

  refuse(error: FieldError): void {
    this.errors.push(error);
  }

  with<T>(value: T): Converted<T> {
    return { value, warnings: this.warnings, errors: this.errors };
  }
}

/** An object without the members that are not set: absent and empty must not be mixed up. */
export function compact(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

export function recordOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

/** A string that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
