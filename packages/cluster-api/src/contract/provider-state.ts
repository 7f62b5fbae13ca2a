import type { Frozen, KubeObject } from '@slipway/kube';
import { type NewCondition, ReconcileError } from '@slipway/runtime';
import { internalErrorMessage, reasons } from '../api/conditions.js';
import { mirrorCondition } from '../toolkit/index.js';
import type { Contract } from './contract-version.js';
import { InvalidConditionError, providerConditions } from './provider-conditions.js';
import type { ProviderKind } from './provider-kind.js';

/** The state of a provider object after a lookup. */
export type ProviderState =
  | { readonly type: 'found'; readonly kind: ProviderKind; readonly object: Frozen<KubeObject> }
  | { readonly type: 'missing' }
  /** The lookup failed, or was not attempted. */
  | { readonly type: 'failed'; readonly error?: unknown };

export function foundObject(state: ProviderState): Frozen<KubeObject> | undefined {
  return state.type === 'found' ? state.object : undefined;
}

export function contractOf(state: ProviderState): Contract {
  return state.type === 'found' ? state.kind.contract : 'v1beta2';
}

/**
 * Returns the condition message for an error. The message of a ReconcileError is written for users; other errors are only logged.
 */
export function failureMessage(error: unknown): string {
  return error instanceof ReconcileError ? error.message : internalErrorMessage;
}

export interface ProviderConditionOptions {
  readonly type: string;
  /** The condition of the provider object that is mirrored. */
  readonly source: 'Ready' | 'Available';
  /** The kind of the referenced object, which may not exist. */
  readonly kind: string;
  readonly state: ProviderState;
  /** Whether the flag of the contract, which is never reset, is true. */
  readonly achieved: boolean;
  /** The path of the flag in the provider object. */
  readonly flagPath: string;
  readonly isDeleting: boolean;
  /** What still needs the provider object after the flag was set. Undefined if nothing does. */
  readonly needsIt?: 'Machine' | 'cluster';
}

/** Returns the condition that mirrors a provider object. */
export function providerCondition(options: ProviderConditionOptions): NewCondition {
  const { type, state } = options;
  if (state.type === 'found') return mirrored(options, state.object);
  if (state.type === 'failed')
    return { type, status: 'Unknown', reason: reasons.internalError, message: failureMessage(state.error) };
  const { kind, achieved, isDeleting, needsIt } = options;
  if (achieved && isDeleting)
    return { type, status: 'False', reason: reasons.objectDeleted, message: `${kind} has been deleted` };
  if (achieved && needsIt !== undefined) {
    const message = `${kind} has been deleted while the ${needsIt} still exists`;
    return { type, status: 'False', reason: reasons.objectDeleted, message };
  }
  return { type, status: 'False', reason: reasons.objectDoesNotExist, message: `${kind} does not exist` };
}

function mirrored(options: ProviderConditionOptions, object: Frozen<KubeObject>): NewCondition {
  const { type, source, kind, achieved, flagPath } = options;
  const good = source === 'Ready' ? reasons.ready : reasons.available;
  const bad = source === 'Ready' ? reasons.notReady : reasons.notAvailable;
  try {
    const conditions = providerConditions(object);
    return mirrorCondition({ metadata: object.metadata, status: { conditions } }, source, {
      targetType: type,
      fallback: {
        status: achieved ? 'True' : 'False',
        reason: achieved ? good : bad,
        message: achieved ? '' : `${kind} ${flagPath} is false`,
      },
    });
  } catch (error) {
    if (!(error instanceof InvalidConditionError)) throw error;
    return { type, status: 'Unknown', reason: reasons.invalidConditionReported, message: error.message };
  }
}
