import {
  conflict,
  deepEqual,
  deepFreeze,
  formatTime,
  type Frozen,
  invalid,
  invalidField,
  type KubeObject,
  notFound,
  notSupported,
  type ObjectMeta,
} from '@slipway/kube';
import type {
  Answer,
  Caller,
  DeleteAnswer,
  DeleteOptions,
  ListAnswer,
  ListOptions,
  Revision,
  StoredObject,
} from '../contract/index.js';
import { RevisionMismatch } from '../storage/index.js';
import { convertToServed } from './served-version.js';
import { listObjects, resourceName, type ServedResource } from './read.js';
import { storageError } from './storage-error.js';
import { admissionRequest, beginWrite, type Write } from './write.js';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';
const conflictRetriesMax = 5;

export async function deleteObject(
  served: ServedResource,
  caller: Caller,
  target: { readonly namespace: string; readonly name: string },
  options: DeleteOptions,
): Promise<DeleteAnswer> {
  checkOptions(options);
  const { dependencies, definition } = served;
  const key = { resource: definition.storageResource, ...target };
  const write = beginWrite(served, caller, target, { dryRun: options.dryRun ?? false });
  const effective = withDefaultPropagation(write, options);
  for (let attempt = 1; ; attempt += 1) {
    const stored = dependencies.store.get(key);
    if (stored === undefined) throw notFound(resourceName(definition), target.name);
    checkPreconditions(served, stored, options);
    const old = await convertToServed(definition, served.version, stored);
    await admitDeletion(write, old, options);
    try {
      return await removeOrMark(write, stored, old, effective);
    } catch (error) {
      if (!(error instanceof RevisionMismatch)) throw storageError(error);
      if (attempt > conflictRetriesMax) throw conflict(resourceName(definition), target.name);
    }
  }
}

/** Deletes all objects that the list selects. An object that another client deletes in the meantime counts as deleted. */
export async function deleteCollection(
  served: ServedResource,
  caller: Caller,
  namespace: string,
  list: ListOptions,
  options: DeleteOptions,
): Promise<ListAnswer> {
  const found = await listObjects(served, caller, namespace, list);
  for (const { object } of found.items) {
    const target = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
    try {
      await deleteObject(served, caller, target, options);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return found;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'NotFound';
}

function checkOptions(options: DeleteOptions): void {
  const kind = { group: 'meta.k8s.io', kind: 'DeleteOptions' };
  if (options.propagationPolicy !== undefined && options.orphanDependents !== undefined) {
    throw invalid(kind, '', [
      invalidField(
        'propagationPolicy',
        options.propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    ]);
  }
  const known = ['Foreground', 'Background', 'Orphan'];
  if (options.propagationPolicy !== undefined && !known.includes(options.propagationPolicy)) {
    throw invalid(kind, '', [notSupported('propagationPolicy', options.propagationPolicy, [...known, 'nil'])]);
  }
}

function checkPreconditions(served: ServedResource, stored: StoredObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = stored.object;
  const name = metadata.name ?? '';
  // Unlike other conflicts, those of preconditions name the kind and not the resource.
  const kind = { group: served.definition.group, resource: served.definition.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      kind,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      kind,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

async function admitDeletion(write: Write, old: Answer, options: DeleteOptions): Promise<void> {
  const { admission } = write.served.dependencies;
  const request = {
    ...admissionRequest(write, 'DELETE', undefined, old.object, 'DeleteOptions'),
    options: {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      ...options,
      ...(options.dryRun === true ? { dryRun: ['All'] } : { dryRun: undefined }),
    },
  };
  await admission.mutate(request);
  await admission.validate(request);
}

async function removeOrMark(
  write: Write,
  stored: StoredObject,
  old: Answer,
  options: DeleteOptions,
): Promise<DeleteAnswer> {
  const { dependencies, definition, version } = write.served;
  const marked = markForDeletion(write, stored.object, options);
  if (marked === undefined) {
    if (!write.context.dryRun) {
      const removed = await dependencies.store.commit({
        key: stored.key,
        expected: stored.revision,
        object: undefined,
      });
      definition.strategy.afterDelete?.(stored.object);
      if (definition.returnsDeleted) return { kind: 'object', answer: lastState(write, old, removed.revision) };
    }
    if (definition.returnsDeleted) return { kind: 'object', answer: lastState(write, old, stored.revision) };
    return { kind: 'removed', name: stored.key.name, uid: stored.object.metadata.uid ?? '' };
  }
  if (deepEqual(marked, stored.object)) return { kind: 'object', answer: old };
  if (write.context.dryRun) return { kind: 'object', answer: { object: deepFreeze(marked) as Frozen<KubeObject> } };
  const committed = await dependencies.store.commit({ key: stored.key, expected: stored.revision, object: marked });
  return { kind: 'object', answer: await convertToServed(definition, version, committed) };
}

/**
 * Returns the last state of the deleted object, at the revision of its deletion. Deletion fields are set if the kind has a grace
 * period.
 */
function lastState(write: Write, old: Answer, revision: Revision): Answer {
  const { strategy } = write.served.definition;
  const metadata: ObjectMeta = { ...(old.object.metadata as ObjectMeta), resourceVersion: String(revision) };
  if (strategy.graceSeconds !== undefined) {
    if ((metadata.deletionTimestamp ?? '') === '') markMetadata(metadata, write.context.now, 0);
    else metadata.deletionGracePeriodSeconds = 0;
  }
  return { object: deepFreeze({ ...old.object, metadata }) as Frozen<KubeObject> };
}

function markMetadata(metadata: ObjectMeta, now: number, grace: number): void {
  metadata.deletionTimestamp = formatTime(now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

function withDefaultPropagation(write: Write, options: DeleteOptions): DeleteOptions {
  const { defaultPropagation } = write.served.definition;
  const decided = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (defaultPropagation === undefined || decided) return options;
  if (defaultPropagation.warning !== undefined) write.caller.warn(defaultPropagation.warning);
  return { ...options, propagationPolicy: defaultPropagation.policy };
}

/** Returns the object marked as being deleted, or undefined if nothing blocks its immediate removal. */
function markForDeletion(write: Write, object: Frozen<KubeObject>, options: DeleteOptions): KubeObject | undefined {
  const { strategy } = write.served.definition;
  const terminating = (object.metadata.deletionTimestamp ?? '') !== '';
  const added = terminating ? [] : (strategy.deletionFinalizers?.(object) ?? []);
  const finalizers = [...new Set([...finalizersAfter(object.metadata.finalizers ?? [], options), ...added])];
  const grace = strategy.graceSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  const held = finalizers.length > 0 || grace > 0 || strategy.holdsDeletion?.(object) === true;
  if (!held) return undefined;
  const metadata = { ...(object.metadata as ObjectMeta) };
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const marked: KubeObject = { ...(object as KubeObject), metadata };
  if (terminating) {
    shortenGrace(metadata, write.context.now, grace);
  } else {
    markMetadata(metadata, write.context.now, grace);
    strategy.beginDeletion?.(marked);
  }
  return marked;
}

/** Shortens the grace period if a repeated delete request asks for it. The period is never extended. */
function shortenGrace(metadata: ObjectMeta, now: number, grace: number): void {
  if (grace >= (metadata.deletionGracePeriodSeconds ?? 0)) return;
  metadata.deletionTimestamp = formatTime(now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
}

/** Returns the finalizers for the policy: they request orphaning or foreground deletion from the garbage collector. */
function finalizersAfter(current: readonly string[], options: DeleteOptions): string[] {
  const policy = options.propagationPolicy ?? policyOfOrphanDependents(options.orphanDependents);
  if (policy === undefined) return [...current];
  const others = current.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return others;
}

function policyOfOrphanDependents(orphan: boolean | undefined): DeleteOptions['propagationPolicy'] {
  if (orphan === undefined) return undefined;
  return orphan ? 'Orphan' : 'Background';
}
