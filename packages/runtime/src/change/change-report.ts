import type { Clock, Logger } from '@slipway/base';
import { type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import type { ObjectKey } from '../client/index.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { redact } from '../events/redact.js';
import type { Change, ChangeEvent, ChangeVerb } from './change.js';
import type { ChangedObject, ChangeRecord } from './change-feed.js';
import { type FieldDifference, fieldDifferences } from './field-difference.js';

/** One request of a change. A patch may need several: for the object, for its status, and again after a conflict. */
export interface Attempt {
  readonly change: Change;
  readonly verb: ChangeVerb;
  readonly key: ObjectKey;
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
    ...(error === undefined ? { result: 'ok' } : { result: 'failed', error: shownError(change, error) }),
    dryRun,
  };
}

/**
 * One line for each change. A status write is routine and logged at debug, except in a dry run, which has no other output. The
 * difference is computed only if it is printed.
 */
export function reportToLog(logger: Logger, record: ChangeRecord): void {
  const { object, verb, reason, message, cluster, action, error, durationMs, dryRun } = record;
  const { namespace, name } = object;
  const facts = {
    [object.kind]: namespace === '' ? { name } : { namespace, name },
    verb,
    reason,
    message,
    ...(cluster === undefined ? {} : { cluster }),
    ...(action === undefined ? {} : { action }),
    ...(dryRun ? { dryRun } : {}),
    ...(durationMs < 1 ? {} : { durationMs: Math.round(durationMs) }),
  };
  // The reconcile reports the error itself: here it is one attempt, perhaps of several.
  if (error !== undefined) logger.debug({ ...facts, error }, 'Change failed');
  else if (verb === 'status')
    logger[dryRun ? 'info' : 'debug']({ ...facts, diff: lazyDiff(record) }, logMessages.status);
  else if (verb === 'patch') logger.info({ ...facts, diff: lazyDiff(record) }, logMessages.patch);
  else logger.info(facts, logMessages[verb]);
}

/** A failure is a Warning that ends with the error. */
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

/** A server may quote the value that it refused: of a Secret only the kind of failure is shown. */
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
