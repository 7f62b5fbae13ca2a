import {
  alreadyExists,
  asJson,
  deepFreeze,
  type Frozen,
  generateName,
  type KubeObject,
  StatusError,
} from '@slipway/kube';
import { RevisionMismatch } from '../storage/index.js';
import type { Answer, Caller, DecodedBody, StoredObject, WriteAnswer, WriteOptions } from '../contract/index.js';
import { decodeBody, normalise } from './decode.js';
import { trackOwnership } from './managed-fields.js';
import { convertToServed, rememberStored } from './served-version.js';
import { ensureNamespace, fillSystemFields, wipeSystemFields } from './object-meta.js';
import { resourceName, type ServedResource } from './read.js';
import { storageError } from './storage-error.js';
import { validateCreate } from './validation.js';
import { admissionRequest, beginWrite, type Write } from './write.js';

const generatedNameAttempts = 8;

export async function createObject(
  served: ServedResource,
  caller: Caller,
  namespace: string,
  body: DecodedBody,
  options: WriteOptions,
): Promise<WriteAnswer> {
  await caller.nextStep?.();
  const object = decodeBody(served, caller, body, options.fieldValidation);
  caller.requestDecoded?.(object);
  const write = beginWrite(served, caller, { namespace, name: '' }, options);
  return createDecoded(write, object, 'CreateOptions');
}

/** Creates an object: for POST, and for an apply or PUT of an object that does not exist. */
export async function createDecoded(
  write: Write,
  object: KubeObject,
  optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): Promise<WriteAnswer> {
  const { served } = write;
  wipeSystemFields(object.metadata);
  ensureNamespace(served, object, write.namespace);
  // Record ownership before admission and prepareForCreate: fields that they set have no manager.
  if (!isApply(write, optionsKind)) await trackOwnership(write, undefined, object);
  await write.caller.nextStep?.();
  const admitted = await admitCreate(write, object, optionsKind);
  // Check again: admission may have changed the namespace after the check above.
  ensureNamespace(served, admitted, write.namespace);
  const { metadata } = admitted;
  dropStatus(served, admitted);
  // Set name and uid before prepareForCreate, which may need them: a Job selects its pods by its uid.
  const base = metadata.generateName ?? '';
  const generated = (metadata.name ?? '') === '' && base !== '';
  if (generated) metadata.name = generateName(base, served.dependencies.random);
  fillSystemFields(metadata, write.context.now, served.dependencies.random);
  await write.strategy.prepareForCreate?.(admitted, write.context);
  if (served.definition.custom) metadata.generation = 1;
  const { admission } = served.dependencies;
  const request = admissionRequest(write, 'CREATE', admitted, undefined, optionsKind);
  try {
    await write.caller.nextStep?.();
    validateCreate(write, admitted as Frozen<KubeObject>);
    await admission.validate(request);
    await write.caller.nextStep?.();
    const answer = await persist(write, admitted, generated ? base : '');
    return { answer, created: true };
  } catch (error) {
    admission.release(request);
    write.strategy.release?.(admitted as Frozen<KubeObject>);
    throw error;
  }
}

function isApply(write: Write, optionsKind: string): boolean {
  return optionsKind === 'PatchOptions' && write.options.fieldManager !== undefined;
}

async function admitCreate(
  write: Write,
  object: KubeObject,
  optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): Promise<KubeObject> {
  const { admission } = write.served.dependencies;
  const request = admissionRequest(write, 'CREATE', object, undefined, optionsKind);
  const mutates = admission.mutates(request);
  await admission.mutate(request);
  if (!mutates) return object;
  const admitted = request.object ?? object;
  normalise(write.served, asJson(admitted));
  return admitted;
}

/**
 * Removes the status of a custom resource that has a status subresource: only the subresource sets it. A create with a status is
 * not an error.
 */
function dropStatus(served: ServedResource, object: KubeObject): void {
  if (served.definition.custom && served.version.subresources.status) delete object['status'];
}

async function persist(write: Write, object: KubeObject, base: string): Promise<Answer> {
  const { dependencies, definition, version } = write.served;
  if (write.context.dryRun) return dryRunAnswer(write, object);
  if ((object.metadata.resourceVersion ?? '') !== '') throw unexpectedResourceVersion();
  for (let attempt = 1; ; attempt += 1) {
    const name = object.metadata.name ?? '';
    const stored = await toStorage(write.served, object);
    try {
      const committed = await dependencies.store.commit({
        key: { resource: definition.storageResource, namespace: write.namespace, name },
        expected: 0,
        object: stored,
        publishing: stored === object ? (written) => rememberStored(version, written) : undefined,
      });
      return await convertToServed(definition, version, committed);
    } catch (error) {
      if (!(error instanceof RevisionMismatch)) throw storageError(error);
      if (base === '' || attempt === generatedNameAttempts) throw existsError(write, name);
      object.metadata.name = generateName(base, dependencies.random);
    }
  }
}

/** Returns the error of a create with a resourceVersion. Upstream checks this in storage, so a dry run accepts it. */
function unexpectedResourceVersion(): StatusError {
  return new StatusError({
    code: 500,
    reason: '',
    message: 'resourceVersion should not be set on objects to be created',
  });
}

function dryRunAnswer(write: Write, object: KubeObject): Answer {
  const existing = write.served.dependencies.store.get({
    resource: write.served.definition.storageResource,
    namespace: write.namespace,
    name: object.metadata.name ?? '',
  });
  if (existing !== undefined) throw existsError(write, object.metadata.name ?? '', existing);
  return { object: deepFreeze(object) as Frozen<KubeObject> };
}

function existsError(write: Write, name: string, known?: StoredObject): StatusError {
  const { definition, dependencies } = write.served;
  const existing =
    known ?? dependencies.store.get({ resource: definition.storageResource, namespace: write.namespace, name });
  const error = alreadyExists(resourceName(definition), name);
  if (existing === undefined || (existing.object.metadata.deletionTimestamp ?? '') === '') return error;
  return new StatusError({
    code: error.code,
    reason: error.reason,
    message: `object is being deleted: ${error.message}`,
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}

/** Returns the object at its storage version; the same object if the request uses that version. */
export async function toStorage(served: ServedResource, object: KubeObject): Promise<KubeObject> {
  const { definition, version } = served;
  if (version.name === definition.storageVersion) return object;
  const converted = await definition.convert([object as Frozen<KubeObject>], definition.storageVersion);
  if (converted[0] === undefined) throw new Error('conversion returned no object');
  return converted[0];
}
