import {
  asJson,
  asObject,
  cloneJson,
  conflict,
  deepEqual,
  deepFreeze,
  type Frozen,
  invalid,
  type KubeObject,
  notFound,
  sameExceptManagedFieldTimes,
} from '@slipway/kube';
import type {
  AdmissionRequest,
  Answer,
  Caller,
  DecodedBody,
  StoredObject,
  WriteAnswer,
  WriteOptions,
} from '../contract/index.js';
import { RevisionMismatch } from '../storage/index.js';
import { createDecoded, toStorage } from './create.js';
import { decodeBody, normalise } from './decode.js';
import { trackOwnership } from './managed-fields.js';
import { convertToServed, rememberStored } from './served-version.js';
import { ensureName, ensureNamespace, ensureUid, keepSystemFields } from './object-meta.js';
import { resourceName, type ServedResource } from './read.js';
import { missingResourceVersion } from './resource-version.js';
import { storageError } from './storage-error.js';
import { validateUpdate } from './validation.js';
import { admissionRequest, beginWrite, type Write, type WriteTarget } from './write.js';

const conflictRetriesMax = 5;

/** How one kind of write (PUT, patch, apply, scale) computes the new state from the old one. */
export interface Change {
  readonly optionsKind: 'UpdateOptions' | 'PatchOptions';
  /** Computes the new state. Called again with the newer state if the object changed in the meantime. */
  produce(old: Frozen<KubeObject>): KubeObject | Promise<KubeObject>;
  /** Whether a write without resourceVersion is accepted and unconditional. */
  readonly unconditional: boolean;
  /**
   * Whether the client sent a resourceVersion. If so, a newer stored version is a conflict, and the write is not
   * retried.
   */
  readonly conditional: boolean;
  /** Whether the result of `produce` contains frozen parts of the stored object. */
  readonly sharesParts?: boolean;
  /** Whether the change computes field ownership itself (apply). */
  readonly ownsFields: boolean;
  /**
   * Set if admission handles a subresource object (a Scale) instead of the object. `produce` has then run mutating admission on
   * the Scale, and this function builds the Scale of the new state for validating admission.
   */
  reviewPart?(next: Frozen<KubeObject>, old: Frozen<KubeObject>): AdmissionRequest;
  /** Called if the object does not exist, instead of returning 404. */
  whenAbsent?(): Promise<WriteAnswer>;
}

export async function updateObject(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  body: DecodedBody,
  options: WriteOptions,
): Promise<WriteAnswer> {
  await caller.nextStep?.();
  const decoded = decodeBody(served, caller, body, options.fieldValidation);
  caller.requestDecoded?.(decoded);
  ensureName(decoded, target.name);
  ensureNamespace(served, decoded, target.namespace);
  const write = beginWrite(served, caller, target, options);
  const conditional = (decoded.metadata.resourceVersion ?? '') !== '';
  return changeObject(write, {
    optionsKind: 'UpdateOptions',
    unconditional: served.definition.unconditionalUpdate,
    conditional,
    ownsFields: false,
    // A conditional update runs once. Any other may be retried, and a retry must not see changes of an earlier attempt.
    produce: () => (conditional ? decoded : asObject(cloneJson(asJson(decoded)))),
    ...(served.definition.createOnUpdate && write.subresource === ''
      ? { whenAbsent: () => createOnUpdate(write, decoded) }
      : {}),
  });
}

function createOnUpdate(write: Write, decoded: KubeObject): Promise<WriteAnswer> {
  if ((decoded.metadata.resourceVersion ?? '') !== '') {
    throw conflict(
      resourceName(write.served.definition),
      write.name,
      `StorageError: invalid object, Code: 4, Key: ${write.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${decoded.metadata.uid ?? ''}, UID in object meta: `,
    );
  }
  write.caller.requireVerb?.('create');
  return createDecoded(write, decoded, 'UpdateOptions');
}

/** Reads, changes, validates and writes an object. Retries after a conflict unless the client sent a resourceVersion. */
export async function changeObject(write: Write, change: Change): Promise<WriteAnswer> {
  const { dependencies, definition, version } = write.served;
  const key = { resource: definition.storageResource, namespace: write.namespace, name: write.name };
  for (let attempt = 1; ; attempt += 1) {
    const stored = dependencies.store.get(key);
    if (stored === undefined) {
      if (change.whenAbsent === undefined) throw notFound(resourceName(definition), write.name);
      return change.whenAbsent();
    }
    await write.caller.nextStep?.(() => stored.bytes.length);
    const old = (await convertToServed(definition, version, stored)).object;
    const next = await change.produce(old);
    await write.caller.nextStep?.();
    checkResourceVersion(write, change, next, stored);
    if (change.optionsKind === 'UpdateOptions') ensureUid(write.served, next, old);
    keepSystemFields(next, old);
    const request = admissionRequest(write, 'UPDATE', next, old, change.optionsKind);
    try {
      const admitted = await prepareUpdate(write, change, request, { old, stored });
      return { answer: await persist(write, admitted, old, stored), created: false };
    } catch (error) {
      dependencies.admission.release(request);
      if (!(error instanceof RevisionMismatch)) throw storageError(error);
      if (attempt > conflictRetriesMax || change.conditional) throw conflict(resourceName(definition), write.name);
    }
  }
}

function checkResourceVersion(write: Write, change: Change, next: KubeObject, stored: StoredObject): void {
  const { definition } = write.served;
  const requested = next.metadata.resourceVersion ?? '';
  if (requested === '' || requested === '0') {
    if (!change.unconditional) {
      throw invalid({ group: definition.group, kind: definition.plural }, write.name, [missingResourceVersion()]);
    }
    next.metadata.resourceVersion = String(stored.revision);
    return;
  }
  if (requested !== String(stored.revision)) throw conflict(resourceName(definition), write.name);
}

async function prepareUpdate(
  write: Write,
  change: Change,
  request: AdmissionRequest,
  { old, stored }: { readonly old: Frozen<KubeObject>; readonly stored: StoredObject },
): Promise<KubeObject> {
  const { dependencies } = write.served;
  const next = request.object as KubeObject;
  // Record ownership before admission: fields that plugins and webhooks set have no manager.
  if (!change.ownsFields) await trackOwnership(write, old, next);
  const admitted = change.reviewPart === undefined ? await mutated(write, change, request, old) : next;
  // Check again: admission may have changed namespace and resourceVersion.
  ensureNamespace(write.served, admitted, write.namespace);
  checkResourceVersion(write, change, admitted, stored);
  await restrictToEndpoint(write, admitted, old);
  await write.caller.nextStep?.();
  validateUpdate(write, admitted as Frozen<KubeObject>, old);
  await dependencies.admission.validate(change.reviewPart?.(admitted as Frozen<KubeObject>, old) ?? request);
  await write.caller.nextStep?.();
  return admitted;
}

async function mutated(
  write: Write,
  change: Change,
  request: AdmissionRequest,
  old: Frozen<KubeObject>,
): Promise<KubeObject> {
  const { admission } = write.served.dependencies;
  const mutates = admission.mutates(request);
  if (mutates && change.sharesParts === true) request.object = owned(request.object as KubeObject);
  await admission.mutate(request);
  const admitted = request.object as KubeObject;
  if (mutates) {
    normalise(write.served, asJson(admitted));
    keepSystemFields(admitted, old);
  }
  return admitted;
}

/** Returns a copy that admission may change. Managed fields are not copied, because admission does not change them. */
function owned(object: KubeObject): KubeObject {
  const { managedFields, ...rest } = object.metadata;
  const copy = asObject(cloneJson(asJson({ ...object, metadata: rest })));
  if (managedFields !== undefined) copy.metadata.managedFields = managedFields;
  return copy;
}

/**
 * Restricts a write of a custom resource to its endpoint: the main endpoint does not change status, and the status endpoint
 * changes nothing else. Built-in kinds enforce this in their strategies, which run later.
 */
async function restrictToEndpoint(write: Write, object: KubeObject, old: Frozen<KubeObject>): Promise<void> {
  const { definition, version } = write.served;
  if (definition.custom && write.subresource === 'status') restrictToStatus(object, old);
  else if (definition.custom && version.subresources.status) keepField(object, old, 'status');
  await write.strategy.prepareForUpdate?.(object, old, write.context);
  if (definition.custom) setGeneration(write, object, old);
}

function restrictToStatus(object: KubeObject, old: Frozen<KubeObject>): void {
  for (const field of Object.keys(object)) {
    if (field !== 'status' && field !== 'metadata') delete object[field];
  }
  for (const field of Object.keys(old)) {
    if (field !== 'status' && field !== 'metadata') keepField(object, old, field);
  }
  const { managedFields, resourceVersion } = object.metadata;
  object.metadata = { ...(old.metadata as KubeObject['metadata']) };
  if (managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managedFields;
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
}

function keepField(object: KubeObject, old: Frozen<KubeObject>, field: string): void {
  if (Object.hasOwn(old, field)) object[field] = old[field];
  else delete object[field];
}

function setGeneration(write: Write, object: KubeObject, old: Frozen<KubeObject>): void {
  const ignored = new Set([
    'metadata',
    'apiVersion',
    'kind',
    ...(write.served.version.subresources.status ? ['status'] : []),
  ]);
  const fields = new Set([...Object.keys(object), ...Object.keys(old)].filter((field) => !ignored.has(field)));
  const changed = [...fields].some((field) => !deepEqual(object[field], old[field]));
  object.metadata.generation = (old.metadata.generation ?? 1) + (changed ? 1 : 0);
}

async function persist(write: Write, next: KubeObject, old: Frozen<KubeObject>, stored: StoredObject): Promise<Answer> {
  const { dependencies, definition, version } = write.served;
  const toStore = await toStorage(write.served, next);
  if (sameExceptManagedFieldTimes(asJson(toStore), asJson(stored.object)))
    return convertToServed(definition, version, stored);
  if (write.context.dryRun) return { object: deepFreeze(next) as Frozen<KubeObject> };
  if (isFinalised(write, next)) {
    await dependencies.store.commit({ key: stored.key, expected: stored.revision, object: undefined });
    definition.strategy.afterDelete?.(old);
    return { object: deepFreeze(next) as Frozen<KubeObject> };
  }
  const committed = await dependencies.store.commit({
    key: stored.key,
    expected: stored.revision,
    object: toStore,
    publishing: toStore === next ? (written) => rememberStored(version, written) : undefined,
  });
  return convertToServed(definition, version, committed);
}

/** Whether the update removes the last finalizer of an object that is being deleted. If so, the object is removed. */
function isFinalised(write: Write, next: KubeObject): boolean {
  const { metadata } = next;
  if ((metadata.deletionTimestamp ?? '') === '' || (metadata.finalizers?.length ?? 0) > 0) return false;
  if ((metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return write.served.definition.strategy.holdsDeletion?.(next as Frozen<KubeObject>) !== true;
}
