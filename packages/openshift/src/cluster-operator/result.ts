import { done, type NewCondition, type Outcome, ReconcileError, retry, terminal, wait } from '@slipway/runtime';

/** Result of a controller. It determines the conditions that the controller sets on the ClusterOperator. */
export type Result =
  | { readonly type: 'success'; readonly message?: string; readonly ms?: number }
  | { readonly type: 'progressing'; readonly message: string }
  | { readonly type: 'waiting'; readonly message: string; readonly ms?: number }
  | { readonly type: 'error'; readonly error: Error }
  | { readonly type: 'invalid'; readonly error: Error };

export const controllerNames = [
  'CapiInstallerController',
  'CoreClusterController',
  'InfraClusterController',
  'SecretSyncController',
  'KubeconfigController',
] as const;
export type ControllerName = (typeof controllerNames)[number];

/** Converts an expected error to a result: waiting for an object, invalid configuration, or a failure that is retried. */
export function resultOf(cause: unknown): Result {
  const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
  if (!(error instanceof ReconcileError)) return { type: 'error', error };
  if (error.retry === 'onChange') return { type: 'waiting', message: error.message };
  return error.retry === 'never' ? { type: 'invalid', error } : { type: 'error', error };
}

export function outcomeOf(result: Result): Outcome {
  const named = (reason: string, message: string, ms: number | undefined): Outcome =>
    wait({ reason, message, ...(ms !== undefined && { ms }) });
  switch (result.type) {
    case 'success':
      return result.ms === undefined ? done() : named('AsExpected', result.message ?? '', result.ms);
    case 'progressing':
      return named('Progressing', result.message, undefined);
    case 'waiting':
      return named('WaitingOnExternal', result.message, result.ms);
    case 'error':
      return retry(result.error);
    case 'invalid':
      return terminal(result.error);
  }
}

/** Returns the conditions of one controller. Available changes only with a final result, so that it does not flap. */
export function conditionsOf(name: ControllerName, result: Result): readonly NewCondition[] {
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): NewCondition => ({
    type: `${name}${type}`,
    status,
    reason,
    message,
  });
  switch (result.type) {
    case 'success': {
      const message = result.message ?? 'Success';
      return [
        condition('Progressing', 'False', 'AsExpected', message),
        condition('Available', 'True', 'AsExpected', message),
        condition('Degraded', 'False', 'AsExpected', message),
      ];
    }
    case 'progressing':
      return [condition('Progressing', 'True', 'Progressing', result.message)];
    case 'waiting':
      return [
        condition('Progressing', 'True', 'WaitingOnExternal', `Waiting on ${result.message}`),
        condition('Degraded', 'False', 'AsExpected', ''),
      ];
    case 'error':
      return [
        condition('Progressing', 'True', 'EphemeralError', result.error.message),
        condition('Degraded', 'True', 'EphemeralError', result.error.message),
      ];
    case 'invalid':
      return [
        condition('Progressing', 'False', 'NonRetryableError', result.error.message),
        condition('Available', 'False', 'NonRetryableError', result.error.message),
        condition('Degraded', 'True', 'NonRetryableError', result.error.message),
      ];
  }
}
