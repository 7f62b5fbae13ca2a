import { formatTime, parseTime } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';

/** What is noted of a remediation: on the control plane while it lasts, then on the machine that replaced the other. */
export interface RemediationData {
  readonly machine: string;
  /** Undefined where somebody removed it. */
  readonly atMs: number | undefined;
  readonly retryCount: number;
}

export function formatRemediationData({ machine, atMs, retryCount }: RemediationData): string {
  return JSON.stringify({ machine, timestamp: atMs === undefined ? null : formatTime(atMs), retryCount });
}

/** Reads the annotation; `owner` is named when it is not what we wrote. */
export function parseRemediationData(text: string, owner: string): RemediationData {
  try {
    const { machine, timestamp, retryCount } = JSON.parse(text) as Record<string, unknown>;
    return {
      machine: typeof machine === 'string' ? machine : '',
      atMs: typeof timestamp === 'string' ? parseTime(timestamp) : undefined,
      retryCount: typeof retryCount === 'number' ? retryCount : 0,
    };
  } catch (cause) {
    throw new ReconcileError('InvalidRemediationData', `failed to read the remediation data of ${owner}`, {
      retry: 'onChange',
      remedy: 'remove the annotation, or restore it as JSON with machine, timestamp and retryCount',
      cause,
    });
  }
}
