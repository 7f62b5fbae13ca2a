import {
  asJson,
  asObject,
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  badRequest,
  cloneJson,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  type Frozen,
  invalid,
  invalidField,
  PatchError,
  type JsonObject,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  requiredField,
  StatusError,
  stringifyJson,
} from '@slipway/kube';
import { createDecoded } from './create.js';
import { decodeBody, normalise } from './decode.js';
import { beginOwnership, managedWrite, requestApiVersion } from './managed-fields.js';
import { ensureName, ensureNamespace } from './object-meta.js';
import { resourceName, type ServedResource } from './read.js';
import type { Caller, PatchType, WriteAnswer, WriteOptions } from '../contract/index.js';
import { type Change, changeObject } from './update.js';
import { beginWrite, type Write, type WriteTarget } from './write.js';

export interface PatchBody {
  readonly type: PatchType;
  readonly value: unknown;
  readonly duplicateKeys: readonly string[];
}

export async function patchObject(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  patch: PatchBody,
  options: WriteOptions,
): Promise<WriteAnswer> {
  const write = beginWrite(served, caller, target, options);
  if (patch.type === 'apply') return applyObject(write, patch);
  refuseUnsupportedType(served, patch.type);
  return changeObject(write, {
    optionsKind: 'PatchOptions',
    unconditional: true,
    conditional: mentionsResourceVersion(patch),
    ownsFields: false,
    sharesParts: sharesParts(served, patch),
    produce: (old) => decodePatched(write, patch, runDocumentPatch(served, patch, documentOf(served, patch, old))),
  });
}

/**
 * Whether the patched object shares unchanged parts with the stored one, so that later steps process changed parts
 * only. False at other versions than the storage version, where the old object may not conform to its schema. False for
 * built-in kinds, whose strategies change objects in place.
 */
function sharesParts({ definition, version }: ServedResource, { type }: PatchBody): boolean {
  return type === 'merge' && definition.custom && version.name === definition.storageVersion;
}

function documentOf(served: ServedResource, patch: PatchBody, old: Frozen<KubeObject>): MutableJsonObject {
  if (!sharesParts(served, patch)) return thaw(old);
  const document = asJson(old);
  return { ...document, metadata: { ...(document['metadata'] as JsonObject) } } as MutableJsonObject;
}

function refuseUnsupportedType(served: ServedResource, type: PatchType): void {
  if (type !== 'strategic' || !served.definition.custom) return;
  throw new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: ' +
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    details: {},
  });
}

/** Whether a merge patch sets resourceVersion. If so, resourceVersion is a precondition. Null does not count. */
function mentionsResourceVersion(patch: PatchBody): boolean {
  if (patch.type === 'json' || typeof patch.value !== 'object' || patch.value === null) return false;
  const { metadata } = patch.value as { metadata?: { resourceVersion?: unknown } };
  return typeof metadata === 'object' && metadata !== null && typeof metadata.resourceVersion === 'string';
}

/** Applies the patch to `original`, which it may change in place. */
export function runDocumentPatch(
  served: ServedResource,
  patch: PatchBody,
  original: MutableJsonObject,
): MutableJsonObject {
  let patched: MutableJson;
  try {
    patched = runPatch(served, patch, original);
  } catch (error) {
    throw error instanceof PatchError ? error.toStatusError() : error;
  }
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched)) {
    throw badRequest('the patched document is not an object');
  }
  return patched;
}

function thaw(object: Frozen<KubeObject>): MutableJsonObject {
  return cloneJson(asJson(object));
}

function runPatch(served: ServedResource, patch: PatchBody, original: MutableJsonObject): MutableJson {
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(original, decodeJsonPatch(patch.value));
    case 'merge':
      return applyMergePatch(original, decodeMergePatch(patch.value));
    default:
      return applyStrategicMergePatch(original, decodeStrategicMergePatch(patch.value), served.version.schema);
  }
}

function decodePatched(write: Write, patch: PatchBody, document: MutableJsonObject): KubeObject {
  const { served, caller, options } = write;
  const body = { value: document, duplicateKeys: patch.duplicateKeys };
  let object: KubeObject;
  try {
    object = decodeBody(served, caller, body, options.fieldValidation);
  } catch (error) {
    throw error instanceof StatusError && error.code === 400
      ? undecodable(stringifyJson(document), error.message)
      : error;
  }
  ensureName(object, write.name);
  ensureNamespace(served, object, write.namespace);
  return object;
}

/** Returns the error of a patch whose result is not a valid object of the kind. Upstream prints the whole result. */
function undecodable(document: string, problem: string): StatusError {
  const cause = problem.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '');
  return invalid({ group: '', kind: '' }, '', [invalidField('patch', document, cause)]);
}

function applyObject(write: Write, patch: PatchBody): Promise<WriteAnswer> {
  checkApplyOptions(write);
  const config = checkApplyBody(write, patch.value);
  reportDuplicates(write, patch);
  const change: Change = {
    optionsKind: 'PatchOptions',
    unconditional: true,
    conditional: (config.metadata.resourceVersion ?? '') !== '',
    ownsFields: true,
    produce: (old) => applied(write, config, old),
  };
  if (write.subresource !== '') return changeObject(write, change);
  return changeObject(write, { ...change, whenAbsent: () => createApplied(write, config) });
}

async function createApplied(write: Write, config: KubeObject): Promise<WriteAnswer> {
  write.caller.requireVerb?.('create');
  const uid = config.metadata.uid ?? '';
  if (uid !== '') {
    const { definition } = write.served;
    throw new StatusError({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${qualified(write.served)} "${write.name}": uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      details: {
        name: write.name,
        ...(definition.group === '' ? {} : { group: definition.group }),
        kind: definition.plural,
      },
    });
  }
  const object = await applied(write, config, undefined);
  ensureNamespace(write.served, object, write.namespace);
  return createDecoded({ ...write, name: '' }, object, 'PatchOptions');
}

function qualified(served: ServedResource): string {
  const { group, resource } = resourceName(served.definition);
  return group === '' ? resource : `${resource}.${group}`;
}

async function applied(write: Write, config: KubeObject, live: Frozen<KubeObject> | undefined): Promise<KubeObject> {
  const { served } = write;
  await beginOwnership(write, asJson(config));
  const { object } = await applyConfiguration({
    ...managedWrite(write),
    kind: served.definition.kind,
    live: live === undefined ? undefined : asJson(live),
    config: asJson(config),
    force: write.options.force ?? false,
  });
  await write.caller.nextStep?.();
  normalise(served, object);
  return asObject(object);
}

function checkApplyOptions(write: Write): void {
  if ((write.options.fieldManager ?? '') !== '') return;
  throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
    requiredField('fieldManager', 'is required for apply patch'),
  ]);
}

function checkApplyBody(write: Write, value: unknown): KubeObject {
  if (!isObject(value)) throw badRequest('error decoding YAML: the body is not an object');
  const { served } = write;
  const apiVersion = requestApiVersion(served);
  const kind = typeof value['kind'] === 'string' ? value['kind'] : '';
  const given = typeof value['apiVersion'] === 'string' ? value['apiVersion'] : '';
  if (given !== apiVersion || kind !== served.definition.kind)
    throw badRequest(`invalid object type: ${describeType(given, kind)}`);
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const name = metadata['name'];
  if (typeof name !== 'string' || name === '') {
    throw badRequest(`the name of the object (${write.name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata['managedFields'] !== undefined && metadata['managedFields'] !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const config = { ...value, metadata } as unknown as KubeObject;
  ensureName(config, write.name);
  // Only validate the namespace here and default it later: defaults are not part of the applied configuration.
  if ((config.metadata.namespace ?? '') !== '') ensureNamespace(served, config, write.namespace);
  return config;
}

function describeType(apiVersion: string, kind: string): string {
  return `${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`;
}

function reportDuplicates(write: Write, patch: PatchBody): void {
  if (patch.duplicateKeys.length === 0 || write.options.fieldValidation === 'Ignore') return;
  const problems = patch.duplicateKeys.map((path) => `duplicate field "${path}"`);
  if (write.options.fieldValidation === 'Strict') throw badRequest(`error decoding YAML: ${problems.join(', ')}`);
  for (const problem of problems) write.caller.warn(problem);
}

function isObject(value: unknown): value is JsonObject & MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
