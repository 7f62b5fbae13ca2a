import { type Conditioned, getCondition, type NewCondition } from './condition.js';
import { notYetReportedReason } from './summary.js';

/** Stands for a reason where an old provider gave none. */
export const noReasonReported = 'NoReasonReported';

export interface MirrorOptions {
  readonly targetType?: string;
  /** When the source does not report the condition. */
  readonly fallback?: Pick<NewCondition, 'status' | 'reason' | 'message'>;
}

/** A copy of another object's condition, with the time at which that one changed. */
export function mirrorCondition(object: Conditioned, sourceType: string, options: MirrorOptions = {}): NewCondition {
  const type = options.targetType ?? sourceType;
  const source = getCondition(object, sourceType);
  if (source !== undefined) {
    const { status, message, lastTransitionTime } = source;
    const reason = source.reason === noReasonReported && status === 'True' ? sourceType : source.reason;
    return { type, status, reason, message, lastTransitionTime };
  }
  if (options.fallback !== undefined) return { type, ...options.fallback };
  return {
    type,
    status: 'Unknown',
    reason: notYetReportedReason,
    message: `Condition ${sourceType} not yet reported`,
  };
}

export function statusOf(value: boolean): 'True' | 'False' {
  return value ? 'True' : 'False';
}
