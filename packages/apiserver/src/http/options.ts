import {
  badRequest,
  durationToMs,
  type FieldError,
  forbiddenField,
  invalid,
  invalidField,
  notSupported,
  parseDuration,
  requiredField,
  tooLong,
} from '@slipway/kube';
import type {
  FieldValidation,
  ListOptions,
  PatchType,
  PropagationPolicy,
  WatchOptions,
  WriteOptions,
} from '../contract/index.js';
import type { Query } from './query.js';

const metaGroup = 'meta.k8s.io';
const fieldManagerMax = 128;
const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Parses the options of create, update and patch, which are always query parameters. */
export function parseWriteOptions(query: Query, kind: WriteOptionsKind, patchType?: PatchType): WriteOptions {
  const errors: FieldError[] = [];
  const fieldManager = query.get('fieldManager') ?? '';
  if (patchType !== undefined) errors.push(...validatePatch(query, patchType, fieldManager));
  errors.push(...validateFieldManager(fieldManager));
  const dryRun = query.getAll('dryRun');
  errors.push(...validateDryRun(dryRun));
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (!fieldValidations.includes(fieldValidation))
    errors.push(notSupported('fieldValidation', fieldValidation, fieldValidations));
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
  return {
    ...(dryRun.length > 0 ? { dryRun: true } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation: fieldValidation as FieldValidation }),
    ...(query.has('force') ? { force: query.flag('force') } : {}),
  };
}

function validatePatch(query: Query, patchType: PatchType, fieldManager: string): FieldError[] {
  if (patchType === 'apply')
    return fieldManager === '' ? [requiredField('fieldManager', 'is required for apply patch')] : [];
  return query.has('force') ? [forbiddenField('force', 'may not be specified for non-apply patch')] : [];
}

function validateFieldManager(fieldManager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(fieldManager) > fieldManagerMax) errors.push(tooLong('fieldManager', fieldManagerMax));
  let position = 0;
  for (const rune of fieldManager) {
    if (!isPrintable(rune)) {
      const code = (rune.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidField('fieldManager', fieldManager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(rune);
  }
  return errors;
}

/** Whether Go's unicode.IsPrint is true: for letters, marks, numbers, punctuation, symbols and the ASCII space. */
function isPrintable(rune: string): boolean {
  return rune === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(rune);
}

export function validateDryRun(dryRun: readonly unknown[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

const propagationPolicies: readonly string[] = ['Background', 'Foreground', 'Orphan'];

export function isPropagationPolicy(value: string): value is PropagationPolicy {
  return propagationPolicies.includes(value);
}

/** Parses a 64-bit integer. Throws the error of Go's number parser, which clients see verbatim. */
export function parseInt64(value: string): number {
  if (!/^[+-]?[0-9]+$/.test(value))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  const number = BigInt(value.startsWith('+') ? value.slice(1) : value);
  if (BigInt.asIntN(64, number) !== number)
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  return Number(number);
}

function optionalText(query: Query, name: string): string | undefined {
  const value = query.get(name);
  return value === '' ? undefined : value;
}

/** Returns the field selector of a request. A legacy `/watch/…/name` path also selects the object `name`. */
function fieldSelector(query: Query, name: string): string | undefined {
  const given = optionalText(query, 'fieldSelector');
  if (name === '') return given;
  const own = `metadata.name=${name}`;
  return given === undefined ? own : `${given},${own}`;
}

export function parseListOptions(query: Query): ListOptions {
  if (query.has('sendInitialEvents'))
    throw invalid({ group: metaGroup, kind: 'ListOptions' }, '', [
      forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'),
    ]);
  // Lists ignore timeoutSeconds but reject an invalid number.
  parseTimeoutSeconds(query);
  const limitText = optionalText(query, 'limit');
  const limit = limitText === undefined ? 0 : parseInt64(limitText);
  return {
    labelSelector: optionalText(query, 'labelSelector'),
    fieldSelector: optionalText(query, 'fieldSelector'),
    resourceVersion: optionalText(query, 'resourceVersion'),
    resourceVersionMatch: optionalText(query, 'resourceVersionMatch'),
    continue: optionalText(query, 'continue'),
    ...(limit > 0 ? { limit } : {}),
  };
}

export function parseWatchOptions(query: Query, name: string, timeoutMs: number): WatchOptions {
  return {
    labelSelector: optionalText(query, 'labelSelector'),
    fieldSelector: fieldSelector(query, name),
    resourceVersion: optionalText(query, 'resourceVersion'),
    resourceVersionMatch: optionalText(query, 'resourceVersionMatch'),
    ...(query.has('sendInitialEvents') ? { sendInitialEvents: query.flag('sendInitialEvents') } : {}),
    allowBookmarks: query.flag('allowWatchBookmarks'),
    timeoutMs,
  };
}

/** Parses the timeout of a watch in seconds. With 0, the server chooses it. */
export function parseTimeoutSeconds(query: Query): number {
  const text = optionalText(query, 'timeoutSeconds');
  return text === undefined ? 0 : Math.max(0, parseInt64(text));
}

/** Parses `?timeout=` of requests other than watches: a Go duration, limited to `ceilingMs`. */
export function parseRequestTimeoutMs(query: Query, ceilingMs: number): number {
  const text = query.get('timeout');
  if (text === undefined || text === '') return ceilingMs;
  const ms = parseTimeoutMs(text);
  return ms === 0 ? ceilingMs : Math.min(Math.max(ms, 0), ceilingMs);
}

function parseTimeoutMs(text: string): number {
  try {
    return durationToMs(parseDuration(text));
  } catch (error) {
    throw badRequest(`invalid timeout specified in the request URL - ${error instanceof Error ? error.message : ''}`);
  }
}
