import {
  applyDefaults,
  asObject,
  badRequest,
  findUnknownFields,
  formatApiVersion,
  invalid,
  invalidField,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  prune,
  type StatusError,
  stringifyJson,
} from '@slipway/kube';
import type { ServedResource } from './read.js';
import type { Caller, DecodedBody, FieldValidation } from '../contract/index.js';

/**
 * Decodes a body into an object of the endpoint's kind and version. The result is typed, pruned, defaulted, and owned by the
 * request.
 */
export function decodeBody(
  served: ServedResource,
  caller: Caller,
  body: DecodedBody,
  validation: FieldValidation = 'Warn',
): KubeObject {
  const object = body.value;
  fillTypeMeta(served, object);
  reportStrictness(served, caller, body, validation);
  normalise(served, object);
  return asObject(object);
}

/** Prunes an object and sets defaults, in place. Runs again after admission, which may have added fields. */
export function normalise(served: ServedResource, object: MutableJsonObject): void {
  const { definition, version } = served;
  prune(version.schema, object);
  applyDefaults(version.schema, object);
  definition.strategy.setDefaults?.(asObject(object));
}

function fillTypeMeta(served: ServedResource, object: MutableJsonObject): void {
  const { definition, version } = served;
  const apiVersion = formatApiVersion({ group: definition.group, version: version.name });
  const { kind } = definition;
  if (definition.custom && (object['kind'] ?? '') === '') throw missingTypeMeta(kind, 'Kind', object);
  if (definition.custom && (object['apiVersion'] ?? '') === '') throw missingTypeMeta(kind, 'apiVersion', object);
  if ((object['apiVersion'] ?? apiVersion) !== apiVersion) {
    throw badRequest(
      `the API version in the data (${textOf(object['apiVersion'])}) does not match the expected API version (${apiVersion})`,
    );
  }
  if ((object['kind'] ?? kind) !== kind) {
    if (definition.custom) throw otherKind(definition.group, kind, object);
    throw badRequest(
      `${textOf(object['kind'])} in version "${version.name}" cannot be handled as a ${kind}: the kind in the data does not match the resource`,
    );
  }
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  object['metadata'] ??= {};
  requireMetadata(kind, version.name, object['metadata']);
}

function requireMetadata(kind: string, version: string, metadata: MutableJson): void {
  if (typeof metadata === 'object' && !Array.isArray(metadata)) return;
  const found = Array.isArray(metadata) ? 'array' : typeof metadata;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: json: cannot unmarshal ${found} into Go struct field ${kind}.metadata of type v1.ObjectMeta`,
  );
}

const summaryCharsMax = 30;

function missingTypeMeta(kind: string, field: string, object: MutableJsonObject): StatusError {
  const text = stringifyJson(object);
  const summary = text.length > summaryCharsMax ? `${text.slice(0, summaryCharsMax)} ...` : text;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): Object '${field}' is missing in '${text}' (${summary})`,
  );
}

function otherKind(group: string, kind: string, object: MutableJsonObject): StatusError {
  const given = textOf(object['kind']);
  const { metadata } = object;
  const named = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata['name'] : '';
  const name = typeof named === 'string' ? named : '';
  return invalid({ group, kind: given }, name, [invalidField('kind', given, `must be ${kind}`)]);
}

function reportStrictness(
  served: ServedResource,
  caller: Caller,
  body: DecodedBody,
  validation: FieldValidation,
): void {
  if (validation === 'Ignore' || (validation === 'Warn' && caller.takesWarnings === false)) return;
  const { definition, version } = served;
  const unknown = findUnknownFields(version.schema, body.value, { documentOrder: !definition.custom });
  const problems = definition.custom ? customProblems(body, unknown) : typedProblems(body, unknown);
  if (problems.length === 0) return;
  if (validation === 'Strict') {
    throw badRequest(
      `${definition.kind} in version "${version.name}" cannot be handled as a ${definition.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  for (const problem of problems) caller.warn(problem);
}

const duplicateField = (path: string): string => `duplicate field "${path}"`;
const unknownField = (path: string): string => `unknown field "${path}"`;

/** Like upstream: duplicate fields first, then unknown fields, those of metadata before others. */
function customProblems(body: DecodedBody, unknown: readonly string[]): string[] {
  const inMetadata = (path: string): boolean => path.startsWith('metadata.');
  const sorted = [...unknown.filter(inMetadata), ...unknown.filter((path) => !inMetadata(path))];
  return [...body.duplicateKeys.map(duplicateField), ...sorted.map(unknownField)];
}

/** Like upstream's typed decoder: in text order, and without duplicate keys inside unknown fields, which it skips. */
function typedProblems(body: DecodedBody, unknown: readonly string[]): string[] {
  const { duplicateKeys, keyPaths } = body;
  if (keyPaths === undefined) return [...duplicateKeys.map(duplicateField), ...unknown.map(unknownField)];
  const skipped = (path: string): boolean =>
    unknown.some((one) => path === one || (path.startsWith(one) && /^[.[]/.test(path.slice(one.length))));
  const duplicates = new Set(duplicateKeys.filter((path) => !skipped(path)));
  const unread = new Set(unknown);
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const path of keyPaths()) {
    if (unread.delete(path)) problems.push(unknownField(path));
    else if (seen.has(path) && duplicates.delete(path)) problems.push(duplicateField(path));
    seen.add(path);
  }
  // A patched object also has unknown fields that are not in the text of the patch.
  return [...problems, ...[...duplicates].map(duplicateField), ...[...unread].map(unknownField)];
}

function textOf(value: MutableJson | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
