import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkQualifiedName,
  duplicateField,
  type FieldError,
  invalidField,
  type LabelSelectorObject,
  type Labels,
  labelSelectorFromObject,
  notSupported,
  requiredField,
  SelectorError,
  validateLabelSelector,
} from '@slipway/kube';
import { fields, type Fields, list, text } from './fields.js';

export const immutableText = 'field is immutable';

export function problems(field: string, value: unknown, messages: readonly string[]): FieldError[] {
  return messages.map((message) => invalidField(field, value, message));
}

export function dnsLabel(field: string, value: unknown): FieldError[] {
  return problems(field, value, checkDns1123Label(text(value)));
}

export function dnsSubdomain(field: string, value: unknown): FieldError[] {
  return problems(field, value, checkDns1123Subdomain(text(value)));
}

export function qualifiedName(field: string, value: unknown): FieldError[] {
  return problems(field, value, checkQualifiedName(text(value)));
}

/** Validates an enum. `supported` lists the values in upstream's order. Missing and unsupported values are different errors. */
export function oneOf(field: string, value: unknown, supported: readonly string[]): FieldError[] {
  if (value === undefined || value === '') return [requiredField(field)];
  return optionalOneOf(field, value, supported);
}

export function optionalOneOf(field: string, value: unknown, supported: readonly string[]): FieldError[] {
  if (value === undefined || supported.includes(text(value))) return [];
  return [notSupported(field, value, supported)];
}

export function nonNegative(field: string, value: unknown): FieldError[] {
  const below = (typeof value === 'number' || typeof value === 'bigint') && value < 0;
  return below ? [invalidField(field, value, 'must be greater than or equal to 0')] : [];
}

export function positive(field: string, value: unknown): FieldError[] {
  const wrong = (typeof value === 'number' || typeof value === 'bigint') && value <= 0;
  return wrong ? [invalidField(field, value, 'must be greater than 0')] : [];
}

export function immutable(field: string, equal: boolean, value: unknown): FieldError[] {
  return equal ? [] : [invalidField(field, value, immutableText)];
}

const portRange = 'must be between 1 and 65535, inclusive';

export function portNumber(field: string, value: unknown): FieldError[] {
  const valid = typeof value === 'number' && value >= 1 && value <= 65_535;
  return valid ? [] : [invalidField(field, value ?? 0, portRange)];
}

/** Validates a port name: at most 15 characters, with at least one letter. */
export function checkPortName(name: string): string[] {
  const found: string[] = [];
  if (name.length > 15) found.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    found.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) found.push('must contain at least one letter (a-z)');
  if (name.includes('--')) found.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) found.push('must not begin or end with a hyphen');
  return found;
}

export function portNumberOrName(field: string, value: unknown): FieldError[] {
  if (typeof value === 'string') return problems(field, value, checkPortName(value));
  return portNumber(field, value);
}

/** Validates a label selector. */
export function validateSelector(selector: unknown, path: string): FieldError[] {
  return selector === undefined ? [] : validateLabelSelector(fields(selector) as LabelSelectorObject, path);
}

/** Whether labels match a selector. An empty selector matches everything, an invalid one nothing. */
export function selectorMatches(selector: unknown, labels: unknown): boolean {
  try {
    return labelSelectorFromObject(fields(selector) as LabelSelectorObject).matches(fields(labels) as Labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

export function isEmptySelector(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = fields(selector);
  return Object.keys(fields(matchLabels)).length === 0 && list(matchExpressions).length === 0;
}

/** Returns one error for each item whose key occurred before. */
export function duplicates(items: readonly Fields[], path: string, key: string): FieldError[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, index) => {
    const value = item[key];
    if (seen.has(value)) return [duplicateField(`${path}[${index}].${key}`, value)];
    seen.add(value);
    return [];
  });
}

/** Rejects duplicate condition types: conditions are a list map keyed by type. */
export function duplicateConditions(object: unknown, path = 'status.conditions'): FieldError[] {
  const conditions = list(fields(fields(object).status).conditions);
  const seen = new Set<unknown>();
  return conditions.flatMap((condition, index) => {
    if (!seen.has(condition.type)) {
      seen.add(condition.type);
      return [];
    }
    return [duplicateField(`${path}[${index}]`, { type: condition.type })];
  });
}

/** Validates names in references to service accounts, secrets and the like: DNS subdomains. */
export function reference(field: string, value: unknown): FieldError[] {
  return text(value) === '' ? [requiredField(field)] : dnsSubdomain(field, value);
}

export function configKeyProblems(key: string): string[] {
  const found: string[] = [];
  if (Buffer.byteLength(key) > 253) found.push('must be no more than 253 bytes');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    found.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === '.' || key === '..') found.push(`must not be '${key}'`);
  else if (key.startsWith('..')) found.push("must not start with '..'");
  return found;
}

/** Returns an error that quotes an object as Go does: structs in field order, maps in key order. */
export function invalidStruct(field: string, value: object, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${detail}` };
}

export function duplicateStruct(field: string, value: object, detail = ''): FieldError {
  const message = `Duplicate value: ${JSON.stringify(value)}${detail === '' ? '' : `: ${detail}`}`;
  return { reason: 'FieldValueDuplicate', field, message };
}

/** Returns a label selector with its fields in the order of the Go type. */
export function selectorStruct(selector: unknown): object {
  const { matchLabels, matchExpressions } = fields(selector);
  return {
    ...(matchLabels === undefined ? {} : { matchLabels }),
    ...(matchExpressions === undefined ? {} : { matchExpressions }),
  };
}
