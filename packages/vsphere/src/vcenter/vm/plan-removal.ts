import type { VmSpec } from './vm-spec.js';
import type { VmPower } from './vm-state.js';

/** When the shutdown of the guest was requested, and whether the request succeeded. */
export interface SoftPowerOff {
  readonly reason: string;
  readonly sinceMs: number;
}

export type RemovalStep =
  | { readonly type: 'powerOff' }
  | { readonly type: 'shutDownGuest' }
  | { readonly type: 'guestCannotShutDown' }
  /** Wait for the guest to power off, at most `ms` milliseconds if set. */
  | { readonly type: 'waitForGuest'; readonly ms?: number }
  | { readonly type: 'destroy' };

/** Condition reason after a failed request to shut down the guest. */
export const guestFailed = 'Failed';

const softTimeoutSecondsDefault = 300;

/** Plans the deletion of a VM: power off as its spec requires, then destroy. */
export function planRemoval(
  spec: Pick<VmSpec, 'powerOffMode' | 'guestSoftPowerOffTimeoutSeconds'>,
  state: VmPower,
  soft: SoftPowerOff | undefined,
  nowMs: number,
): RemovalStep {
  // A suspended VM is destroyed without powering it off.
  if (state.powerState !== 'poweredOn') return { type: 'destroy' };
  const { powerOffMode = 'hard', guestSoftPowerOffTimeoutSeconds = softTimeoutSecondsDefault } = spec;
  if (powerOffMode === 'hard') return { type: 'powerOff' };
  // A failed request is repeated: the guest tools may be running by now.
  if (soft === undefined || soft.reason === guestFailed) {
    if (state.toolsRunning && state.stateChangeSupported) return { type: 'shutDownGuest' };
    return powerOffMode === 'trySoft' ? { type: 'powerOff' } : { type: 'guestCannotShutDown' };
  }
  if (powerOffMode === 'soft') return { type: 'waitForGuest' };
  const leftMs = soft.sinceMs + guestSoftPowerOffTimeoutSeconds * 1000 - nowMs;
  return leftMs > 0 ? { type: 'waitForGuest', ms: leftMs } : { type: 'powerOff' };
}
