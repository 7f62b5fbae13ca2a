import type { VmSpec } from './vm-spec.js';
import type { VmPower } from './vm-state.js';

/** Since when the guest is asked to shut down, and whether it could be asked at all. */
export interface SoftPowerOff {
  readonly reason: string;
  readonly sinceMs: number;
}

export type RemovalStep =
  | { readonly type: 'powerOff' }
  | { readonly type: 'shutDownGuest' }
  | { readonly type: 'guestCannotShutDown' }
  /** Until the machine is off, or for so long. */
  | { readonly type: 'waitForGuest'; readonly ms?: number }
  | { readonly type: 'destroy' };

/** The reason that says so in the condition. */
export const guestFailed = 'Failed';

const softTimeoutSecondsDefault = 300;

/** How a machine goes: switched off as its spec asks, then destroyed. */
export function planRemoval(
  spec: Pick<VmSpec, 'powerOffMode' | 'guestSoftPowerOffTimeoutSeconds'>,
  state: VmPower,
  soft: SoftPowerOff | undefined,
  nowMs: number,
): RemovalStep {
  // A suspended machine can be destroyed as it is.
  if (state.powerState !== 'poweredOn') return { type: 'destroy' };
  const { powerOffMode = 'hard', guestSoftPowerOffTimeoutSeconds = softTimeoutSecondsDefault } = spec;
  if (powerOffMode === 'hard') return { type: 'powerOff' };
  // A guest that could not be asked before may be able to now.
  if (soft === undefined || soft.reason === guestFailed) {
    if (state.toolsRunning && state.stateChangeSupported) return { type: 'shutDownGuest' };
    return powerOffMode === 'trySoft' ? { type: 'powerOff' } : { type: 'guestCannotShutDown' };
  }
  if (powerOffMode === 'soft') return { type: 'waitForGuest' };
  const leftMs = soft.sinceMs + guestSoftPowerOffTimeoutSeconds * 1000 - nowMs;
  return leftMs > 0 ? { type: 'waitForGuest', ms: leftMs } : { type: 'powerOff' };
}
