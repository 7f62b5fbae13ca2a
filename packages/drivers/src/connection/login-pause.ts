const minute = 60_000;
/** vCenter locks an account after five wrong passwords within three minutes. */
const pausesMs = [minute, 2 * minute, 5 * minute, 15 * minute];

/** How long to wait before a refused password is tried again; undefined once it has been tried often enough. */
export function loginPauseMs(failures: number): number | undefined {
  return pausesMs[failures - 1];
}

/** Whether a password that was refused may be tried at this time. Another password may always. */
export function mayTryLogin(facts: {
  readonly failures: number;
  readonly lastCheckMs: number | undefined;
  readonly isSamePassword: boolean;
  readonly nowMs: number;
}): boolean {
  if (!facts.isSamePassword || facts.failures === 0 || facts.lastCheckMs === undefined) return true;
  const pause = loginPauseMs(facts.failures);
  return pause !== undefined && facts.nowMs - facts.lastCheckMs >= pause;
}
