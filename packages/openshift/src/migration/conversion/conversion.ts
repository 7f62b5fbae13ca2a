import type { FieldError, JsonObject, JsonValue } from '@slipway/kube';

/** Result of a conversion, with warnings and errors. */
export interface Converted<T> {
  readonly value: T;
  /** Fields that are dropped without rejecting the object. */
  readonly warnings: readonly string[];
  /** Fields that cannot be converted. Nothing is written until the user changes them. */
  readonly errors: readonly FieldError[];
}

/** Collects warnings and errors of a conversion. */
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

/** Removes undefined members. Empty values are kept. */
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

/** Returns a non-empty string, or undefined. */
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
