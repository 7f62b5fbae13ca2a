import { formatTime, parseTime } from '@slipway/kube';
import { kubeadmConditions } from '../api/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';

/** Failures of the first attempts to connect that mean nothing yet. */
const firstFailures = 5;

export interface UnknownHealth {
  readonly message: string;
  /** The last that was seen is too old to stand. */
  readonly overwrite: boolean;
  /** How long it still stands; undefined when that is not running out. */
  readonly graceLeftMs?: number;
}

/** What is said of a control plane that cannot be reached. */
export function unknownHealth(pass: ControlPlanePass): UnknownHealth {
  const { lastProbeSuccessAt, consecutiveFailures } = pass.world.workloads.health(pass.clusterKey);
  if (lastProbeSuccessAt === undefined && consecutiveFailures < firstFailures)
    return { message: 'Remote connection not established yet', overwrite: false };
  const initialized = pass.condition(kubeadmConditions.initialized);
  const initializedMs = initialized === undefined ? 0 : parseTime(initialized.lastTransitionTime);
  const sinceMs = pass.nowMs - Math.max(lastProbeSuccessAt ?? 0, initializedMs);
  const message = lastProbeSuccessAt === undefined ? '' : `Last successful probe at ${formatTime(lastProbeSuccessAt)}`;
  const graceLeftMs = pass.world.remoteConditionsGraceMs - sinceMs;
  if (graceLeftMs < 0) return { message, overwrite: true };
  return { message, overwrite: false, graceLeftMs: graceLeftMs + 1_000 };
}
