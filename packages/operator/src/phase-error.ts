import { ReconcileError, type ReconcileErrorOptions } from '@slipway/runtime';
import { ClusterctlError } from '@slipway/clusterctl';
import { conditionTypes } from './api/index.js';

type ConditionType = (typeof conditionTypes)[keyof typeof conditionTypes];

/** Failure of a phase, with the condition type and reason to report. */
export class PhaseError extends ReconcileError {
  readonly condition: ConditionType;

  constructor(condition: ConditionType, reason: string, message: string, options: ReconcileErrorOptions) {
    super(reason, message, options);
    this.name = 'PhaseError';
    this.condition = condition;
  }
}

export function preflightError(reason: string, message: string, options: ReconcileErrorOptions): PhaseError {
  return new PhaseError(conditionTypes.preflightCheckPassed, reason, message, options);
}

export function installError(reason: string, message: string, options: ReconcileErrorOptions): PhaseError {
  return new PhaseError(conditionTypes.providerInstalled, reason, message, options);
}

/** Runs a phase. Converts other errors to a PhaseError with the reason of the phase. */
export async function inPhase<T>(
  condition: ConditionType,
  reason: string,
  run: () => T | Promise<T>,
  retry: ReconcileErrorOptions['retry'] = 'later',
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PhaseError) throw error;
    const remedy = error instanceof ClusterctlError ? error.remedy : undefined;
    const message = error instanceof Error ? error.message : String(error);
    throw new PhaseError(condition, reason, message, { retry, cause: error, ...(remedy !== undefined && { remedy }) });
  }
}
