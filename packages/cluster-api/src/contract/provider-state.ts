import type { Frozen, KubeObject } from '@slipway/kube';
import { mirrorCondition, type NewCondition, ReconcileError } from '@slipway/runtime';
import { internalErrorMessage, reasons } from '../api/conditions.js';
import type { Contract } from './contract-version.js';
import { InvalidConditionError, providerConditions } from './provider-conditions.js';
import type { ProviderKind } from './provider-kind.js';

/** What is known of an object of a provider after it was looked for. */
export type ProviderState =
  | { readonly type: 'found'; readonly kind: ProviderKind; readonly object: Frozen<KubeObject> }
  | { readonly type: 'missing' }
  /** It was not looked for, or that went wrong. */
  | { readonly type: 'failed'; readonly error?: unknown };

export function foundObject(state: ProviderState): Frozen<KubeObject> | undefined {
  return state.type === 'found' ? state.object : undefined;
}

export function contractOf(state: ProviderState): Contract {
  return state.type === 'found' ? state.kind.contract : 'v1beta2';
}

/** What a condition says of a failure: our own errors are written for users, others are for the log. */
export function failureMessage(error: unknown): string {
  return error instanceof ReconcileError ? error.message : internalErrorMessage;
}

export interface ProviderConditionOptions {
  readonly type: string;
  /** The condition of the provider's object that is copied. */
  readonly source: 'Ready' | 'Available';
  /** The kind that is referred to: there need not be an object. */
  readonly kind: string;
  readonly state: ProviderState;
  /** The contract's flag, which stays once it was set: the object has done its work. */
  readonly achieved: boolean;
  /** The field behind the flag. */
  readonly flagPath: string;
  readonly isDeleting: boolean;
  /** What cannot go on without the object, once it has done its work; nobody when it is not needed any more. */
  readonly needsIt?: 'Machine' | 'cluster';
}

/** The condition by which an object tells how a part of it is that a provider looks after. */
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
