import type { Clock, Logger } from '@slipway/base';
import { asJson, deepEqual, type Frozen, type JsonObject, type KubeObject, StatusError } from '@slipway/kube';
import type { ObjectKey, PatchBody } from '../client/index.js';
import type { EventRecorder } from './events.js';
import { isDeleting } from './object-difference.js';
import { redact } from './redact.js';
import type { Change, ChangeEvent, ChangeVerb } from './change.js';
import type { ChangedObject, ChangeRecord } from './change-feed.js';
import { type FieldDifference, fieldDifferences } from './field-difference.js';

/** One request of a change. A patch may need several: for the object, for its status, and again after a conflict. */
export interface Attempt {
  readonly change: Change;
  readonly verb: ChangeVerb;
  readonly key: ObjectKey;
  /** The request body: an apply configuration, a merge patch or the operations of a JSON patch. */
  readonly body?: JsonObject | readonly JsonObject[];
  /** The object that the request changes, or only its resourceVersion. Undefined for a create, a delete and a call. */
  readonly base?: Frozen<KubeObject> | string | undefined;
}

interface Reporter {
  readonly clock: Clock;
  readonly controller: string;
  readonly reconciled?: ObjectKey & { readonly kind: string };
  readonly dryRun?: boolean;
}

const logMessages: Readonly<Record<ChangeVerb, string>> = {
  create: 'Created object',
  apply: 'Applied object',
  patch: 'Patched object',
  status: 'Updated status',
  delete: 'Deleted object',
  call: 'Called',
};

export function recordOf(
  reporter: Reporter,
  attempt: Attempt,
  durationMs: number,
  result: unknown,
  error: unknown,
): ChangeRecord {
  const { change, verb } = attempt;
  const { clock, controller, reconciled, dryRun = false } = reporter;
  const on = change.verb === 'call' ? undefined : change.on;
  const subresource = 'subresource' in change ? change.subresource : undefined;
  let fields: readonly FieldDifference[] | undefined;
  return {
    time: clock.now(),
    durationMs,
    controller,
    ...(reconciled === undefined ? {} : { reconciled }),
    object: changedObject(attempt, isObject(result) ? result : undefined),
    ...(on === undefined ? {} : { cluster: on.name }),
    verb,
    ...(subresource === undefined || subresource === '' ? {} : { subresource }),
    ...(change.verb === 'call' ? { action: change.action } : {}),
    reason: change.reason,
    message: change.message,
    get fields() {
      fields ??= fieldsOf(change, verb);
      return fields;
    },
    ...(error === undefined
      ? { result: isUnchanged(attempt, result, dryRun) ? 'unchanged' : 'ok' }
      : { result: 'failed', error: shownError(change, error) }),
    dryRun,
  };
}

/**
 * Returns whether the request changed nothing: then the server returns the object with the same resourceVersion. A dry run always
 * returns the same resourceVersion, so the whole object is compared. A deleting object counts as changed, because its
 * resourceVersion may predate the removal of its last finalizer.
 */
function isUnchanged({ base }: Attempt, result: unknown, dryRun: boolean): boolean {
  if (base === undefined || !isObject(result) || isDeleting(result)) return false;
  if (dryRun) return typeof base === 'object' && deepEqual(asJson(base), asJson(result));
  const version = typeof base === 'string' ? base : base.metadata.resourceVersion;
  return version !== undefined && version !== '' && version === result.metadata.resourceVersion;
}

/** Returns the resourceVersion that a patch requires, or undefined if it requires none. */
export function namedVersion({ type, patch }: PatchBody): string | undefined {
  const version =
    type === 'merge'
      ? (patch['metadata'] as JsonObject | undefined)?.['resourceVersion']
      : patch.find(({ path }) => path === '/metadata/resourceVersion')?.['value'];
  return typeof version === 'string' ? version : undefined;
}

/**
 * Logs one line for each change. Routine writes are logged at debug: status writes and changes of metadata alone,
 * unless they have an Event. In a dry run they are logged at info, because a dry run has no other output. Requests that
 * changed nothing are always logged at debug. The difference is computed only if it is printed.
 */
export function reportToLog(logger: Logger, record: ChangeRecord, attempt: Attempt): void {
  const { verb, reason, message, cluster, action, error, durationMs, dryRun, result } = record;
  const facts = {
    ...objectFact(record),
    verb,
    reason,
    message,
    ...(cluster === undefined ? {} : { cluster }),
    ...(action === undefined ? {} : { action }),
    ...(dryRun ? { dryRun } : {}),
    ...(durationMs < 1 ? {} : { durationMs: Math.round(durationMs) }),
  };
  // Log at debug: the reconcile logs the error itself, and this may be only one of several attempts.
  if (error !== undefined) return logger.debug({ ...facts, error }, 'Change failed');
  if (result === 'unchanged') return logger.debug(facts, 'Object unchanged');
  const diff = verb === 'status' || verb === 'patch' ? { diff: lazyDiff(record) } : {};
  logger[isRoutine(attempt) && !dryRun ? 'debug' : 'info']({ ...facts, ...diff }, logMessages[verb]);
}

/**
 * Returns the object of a change as a log field, unless it is the reconciled object: the logger of a reconcile already has it,
 * and a JSON line must not have a key twice.
 */
function objectFact({ object: { kind, namespace, name }, reconciled }: ChangeRecord): object {
  const isNamed = kind === reconciled?.kind && namespace === reconciled.namespace && name === reconciled.name;
  return isNamed ? {} : { [kind]: namespace === '' ? { name } : { namespace, name } };
}

function isRoutine({ change, verb, body }: Attempt): boolean {
  if (change.event !== undefined) return false;
  return verb === 'status' || (body !== undefined && isMetadataOnly(body));
}

const identifyingFields = new Set(['apiVersion', 'kind', 'metadata']);

function isMetadataOnly(body: JsonObject | readonly JsonObject[]): boolean {
  return Array.isArray(body)
    ? (body as readonly JsonObject[]).every(({ path }) => typeof path === 'string' && path.startsWith('/metadata/'))
    : Object.keys(body).every((field) => identifyingFields.has(field));
}

/** Records the Event of a change. A failure is a Warning whose message ends with the error. */
export function reportEvent(
  { events, dryRun }: { readonly events?: EventRecorder; readonly dryRun?: boolean },
  change: Change,
  event: ChangeEvent,
  error?: unknown,
): void {
  if (events === undefined || dryRun === true) return;
  const failed = error !== undefined;
  const message = event.message ?? change.message;
  events.record(event.about, {
    type: event.type ?? (failed ? 'Warning' : 'Normal'),
    reason: event.reason ?? change.reason,
    action: event.action ?? change.verb,
    message: failed ? `${message}: ${messageOf(error)}` : message,
  });
}

function lazyDiff(record: ChangeRecord): { toJSON(): readonly FieldDifference[] } {
  return { toJSON: () => record.fields };
}

function fieldsOf(change: Change, verb: ChangeVerb): readonly FieldDifference[] {
  if (!('before' in change)) return [];
  const isStatus = ({ path }: FieldDifference): boolean => path === 'status' || path.startsWith('status.');
  return fieldDifferences(change.before, change.after).filter((field) => isStatus(field) === (verb === 'status'));
}

function changedObject({ change, key }: Attempt, result: Frozen<KubeObject> | undefined): ChangedObject {
  const { resource } = change;
  const known: Frozen<KubeObject> | undefined =
    result ??
    ('before' in change ? change.before : 'object' in change ? (change.object as Frozen<KubeObject>) : undefined);
  const metadata: Frozen<KubeObject>['metadata'] = (change.verb === 'call' ? undefined : known?.metadata) ?? key;
  const { name = key.name, namespace = key.namespace, uid, labels } = metadata;
  return {
    group: resource.group,
    kind: resource.kind,
    namespace,
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(labels === undefined ? {} : { labels }),
  };
}

/** Returns the error text to record. For a Secret only the reason, because a server may quote the rejected value. */
function shownError({ resource }: Change, error: unknown): string {
  if (resource.group !== '' || resource.kind !== 'Secret') return redact(messageOf(error));
  return error instanceof StatusError ? error.reason : 'failed';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isObject(value: unknown): value is Frozen<KubeObject> {
  return typeof value === 'object' && value !== null && 'metadata' in value && 'kind' in value;
}
