import { type Conditioned, getCondition, type NewCondition } from '@slipway/runtime';
import { notYetReportedReason } from './summary.js';

/** Placeholder for a reason that an old provider did not set. */
export const noReasonReported = 'NoReasonReported';

export interface MirrorOptions {
  readonly targetType?: string;
  /** Used if the source does not report the condition. */
  readonly fallback?: Pick<NewCondition, 'status' | 'reason' | 'message'>;
}

/** Returns a copy of another object's condition, with its transition time. */
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
