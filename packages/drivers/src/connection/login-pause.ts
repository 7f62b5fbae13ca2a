const minute = 60_000;
/** Pauses after rejected logins: vCenter locks an account after five wrong passwords within three minutes. */
const pausesMs = [minute, 2 * minute, 5 * minute, 15 * minute];

/** Returns the wait before a rejected password is retried, or undefined once the retries are exhausted. */
export function loginPauseMs(failures: number): number | undefined {
  return pausesMs[failures - 1];
}

/** Returns whether a rejected password may be retried now. A changed password may always be tried. */
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
