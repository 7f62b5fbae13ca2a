import { createdMs, nameOf, type ObservedMachine, remediationReasons } from '@slipway/cluster-api';
import { controlPlaneAnnotations } from '../api/index.js';
import type { ControlPlaneView } from './control-plane.js';
import { parseRemediationData, type RemediationData } from './remediation-data.js';
import type { Refusal } from './remediation-planner.js';

const minHealthyPeriodMsDefault = 3_600_000;

export interface RetryCheck {
  readonly data: RemediationData;
  readonly refusal?: Refusal;
}

/**
 * Whether the machine may be replaced once more. It counts as another try for the machine that it replaced itself when it
 * did not stay healthy long enough: something that is wrong with every machine must not wear out the infrastructure.
 */
export function checkRetries({ controlPlane, nowMs }: ControlPlaneView, machine: ObservedMachine): RetryCheck {
  const first: RemediationData = { machine: nameOf(machine), atMs: nowMs, retryCount: 0 };
  const text = machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor];
  if (text === undefined) return { data: first };
  const last = parseRemediationData(text, `Machine ${nameOf(machine)}`);
  const { maxRetry, minHealthyPeriodSeconds, retryPeriodSeconds = 0 } = controlPlane.spec.remediation ?? {};
  const minHealthyMs =
    minHealthyPeriodSeconds === undefined ? minHealthyPeriodMsDefault : minHealthyPeriodSeconds * 1000;
  const sinceMs = last.atMs === undefined ? Number.POSITIVE_INFINITY : nowMs - last.atMs;
  if (sinceMs >= minHealthyMs) return { data: first };
  const again = { ...first, retryCount: last.retryCount };
  if (sinceMs < retryPeriodSeconds * 1000)
    return {
      data: again,
      refusal: {
        reason: remediationReasons.remediationDeferred,
        message: `KubeadmControlPlane can't remediate this machine because the operation already failed in the latest ${durationText(retryPeriodSeconds)} (RetryPeriodSeconds)`,
      },
    };
  if (maxRetry !== undefined && last.retryCount >= maxRetry)
    return {
      data: again,
      refusal: {
        reason: remediationReasons.cannotBeRemediated,
        message: `KubeadmControlPlane can't remediate this machine because the operation already failed ${maxRetry} times (MaxRetry)`,
      },
    };
  return { data: { ...again, retryCount: last.retryCount + 1 } };
}

/** `1h0m0s`, `15m0s`, `30s`: as upstream prints durations. */
function durationText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

/**
 * Whether a machine was made for the remediation, or at least after it began. Times alone would not do: they are whole
 * seconds, and a machine can be replaced within one.
 */
export function isReplaced({ controlPlane, machines }: ControlPlaneView, inProgress: string): boolean {
  const { atMs } = parseRemediationData(inProgress, `KubeadmControlPlane ${nameOf(controlPlane)}`);
  return machines.some(
    ({ machine }) =>
      machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor] === inProgress ||
      createdMs(machine) > (atMs ?? 0),
  );
}
