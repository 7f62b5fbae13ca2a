import { canonicalJson } from '../json/canonical-json.js';
import { formatGoNumber } from '../text/go-format.js';

/** Why a field was rejected. Clients compare these reasons (`details.causes[].reason`). */
type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One validation error of one field. `message` follows the path: `Invalid value: 1: must be even`. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Upstream's path format: `spec.items[0].name`, `metadata.labels[a/b]`; `<nil>` for the whole object. */
  readonly field: string;
  readonly message: string;
}

export function requiredField(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function invalidField(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${formatBadValue(value)}`, detail) };
}

export function wrongType(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: withDetail(`Invalid value: ${formatBadValue(value)}`, detail),
  };
}

export function notSupported(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const list = supported.map((item) => (typeof item === 'string' ? JSON.stringify(item) : String(item))).join(', ');
  const detail = supported.length > 0 ? `supported values: ${list}` : '';
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(`Unsupported value: ${formatBadValue(value)}`, detail),
  };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function duplicateField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${formatBadValue(value)}` };
}

export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${formatBadValue(value)}` };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${maxBytes} ${unit}` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items';
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${actual}: must have at most ${max} ${unit}` };
}

export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}

/** Formats a value as Go does in these messages: strings quoted, objects as JSON, absent as null. */
function formatBadValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'number') return formatGoNumber(value);
  return canonicalJson(value);
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}
