import {
  applyDefaults,
  asObject,
  badRequest,
  findUnknownFields,
  formatApiVersion,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  prune,
} from '@slipway/kube';
import type { ServedResource } from './read.js';
import type { Caller, DecodedBody, FieldValidation } from './request.js';

/** Turns a body into an object of the endpoint's kind and version: typed, pruned, defaulted, owned by the request. */
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

/** Prunes and defaults in place. Runs again after admission, which may have added anything. */
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
  if (definition.custom && (object['kind'] ?? '') === '')
    throw badRequest(`Object 'Kind' is missing in the request body`);
  if (definition.custom && (object['apiVersion'] ?? '') === '') {
    throw badRequest(`Object 'apiVersion' is missing in the request body`);
  }
  if ((object['apiVersion'] ?? apiVersion) !== apiVersion) {
    throw badRequest(
      `the API version in the data (${textOf(object['apiVersion'])}) does not match the expected API version (${apiVersion})`,
    );
  }
  if ((object['kind'] ?? kind) !== kind) {
    throw badRequest(
      `${textOf(object['kind'])} in version "${version.name}" cannot be handled as a ${kind}: the kind in the data does not match the resource`,
    );
  }
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  object['metadata'] ??= {};
  if (typeof object['metadata'] !== 'object' || Array.isArray(object['metadata'])) {
    throw badRequest(`${kind} in version "${version.name}" cannot be handled as a ${kind}: metadata is not an object`);
  }
}

function reportStrictness(
  served: ServedResource,
  caller: Caller,
  body: DecodedBody,
  validation: FieldValidation,
): void {
  if (validation === 'Ignore') return;
  const { definition, version } = served;
  const problems = [
    ...body.duplicateKeys.map((path) => `duplicate field "${path}"`),
    ...findUnknownFields(version.schema, body.value).map((path) => `unknown field "${path}"`),
  ];
  if (problems.length === 0) return;
  if (validation === 'Strict') {
    throw badRequest(
      `${definition.kind} in version "${version.name}" cannot be handled as a ${definition.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  for (const problem of problems) caller.warn(problem);
}

function textOf(value: MutableJson | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
