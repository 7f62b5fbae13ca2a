import {
  type FieldError,
  formatFieldError,
  formatTime,
  type Frozen,
  type JsonObject,
  type KubeObject,
} from '@slipway/kube';
import { type Outcome, type ReconcileContext, type Resource, terminal } from '@slipway/runtime';
import { type Converted, listOf, recordOf } from '../conversion/conversion.js';
import type { MigratedKind } from '../state/machine-objects.js';

const synchronizedType = 'Synchronized';
const severities: Readonly<Record<string, string>> = { False: 'Error', Unknown: 'Info' };

export type SyncReason =
  | 'ResourceSynchronized'
  | 'AuthoritativeAPIChanged'
  | 'ProgressingToCreateCAPIInfraMachine'
  | 'CAPIMachineNotFound'
  | 'FailedToGetCAPIMachineSet'
  | 'FailedToGetCAPIInfraResources'
  | `FailedToConvertMAPI${'Machine' | 'MachineSet'}ToCAPI`
  | `FailedToConvertCAPI${'Machine' | 'MachineSet'}ToMAPI`
  | `FailedTo${'Create' | 'Update'}CAPI${'Machine' | 'InfraMachine' | 'MachineSet' | 'InfraMachineTemplate'}`
  | 'FailedToCreateMAPIMachine'
  | `FailedToUpdateMAPI${'Machine' | 'MachineSet'}`;

export interface SyncState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: SyncReason;
  readonly message: string;
}

/** Returns the conditions of a Machine API object with Synchronized set. */
export function withSynchronized(mapi: Frozen<KubeObject>, state: SyncState, nowMs: number): JsonObject[] {
  const conditions = listOf(recordOf(mapi['status'])['conditions']);
  const before = conditions.find(({ type }) => type === synchronizedType);
  const lastTransitionTime =
    before?.['status'] === state.status ? (before['lastTransitionTime'] ?? '') : formatTime(nowMs);
  const severity = severities[state.status];
  const next = { type: synchronizedType, ...state, ...(severity !== undefined && { severity }), lastTransitionTime };
  return [...conditions.filter(({ type }) => type !== synchronizedType), next];
}

/** Writes the Synchronized condition and the synchronized generation of the authoritative resource. */
export async function writeSynchronized(
  { kind, mapi: resource }: MigratedKind,
  mapi: Frozen<KubeObject>,
  state: SyncState,
  context: ReconcileContext,
  generation?: number,
): Promise<Frozen<KubeObject>> {
  const status = {
    ...recordOf(mapi['status']),
    conditions: withSynchronized(mapi, state, context.clock.now()),
    ...(generation !== undefined && { synchronizedGeneration: generation }),
  };
  const after = { ...mapi, status };
  return context.change({
    verb: 'status',
    resource: resource as Resource,
    before: mapi,
    after,
    ownedConditions: [synchronizedType],
    fieldManager: `${kind}SyncController-${synchronizedType}Condition`,
    reason: state.reason,
    message: state.message,
  });
}

/** Reports an error that only the user can fix. The edit triggers the next reconcile. */
export async function refuse(
  kind: MigratedKind,
  mapi: Frozen<KubeObject>,
  reason: SyncReason,
  message: string,
  context: ReconcileContext,
): Promise<Outcome> {
  context.events.record(mapi, { type: 'Warning', reason: 'SynchronizationError', action: 'Converting', message });
  await writeSynchronized(kind, mapi, { status: 'False', reason, message }, context);
  return terminal(new Error(message));
}

export function fieldErrors(errors: readonly FieldError[]): string {
  return errors.map(formatFieldError).join('; ');
}

export function recordWarnings(
  mapi: Frozen<KubeObject>,
  { warnings }: Converted<unknown>,
  { events }: ReconcileContext,
): void {
  for (const message of warnings)
    events.record(mapi, { type: 'Warning', reason: 'ConversionWarning', action: 'Converting', message });
}

/** Reports a failed write in the condition and rethrows it for a retry. */
export async function attempted<T>(
  kind: MigratedKind,
  mapi: Frozen<KubeObject> | undefined,
  reason: SyncReason,
  context: ReconcileContext,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (mapi !== undefined && !context.signal.aborted) {
      context.events.record(mapi, { type: 'Warning', reason: 'SynchronizationWarning', action: 'Copying', message });
      await writeSynchronized(kind, mapi, { status: 'False', reason, message }, context);
    }
    throw error;
  }
}

export const inStep: SyncState = {
  status: 'True',
  reason: 'ResourceSynchronized',
  message: 'Successfully synchronized',
};
