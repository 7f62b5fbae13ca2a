import { useEffect, useState } from 'preact/hooks';
import { browserClock } from './browser-clock.js';

/** Returns the current time, updated at an interval, to show ages. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => browserClock.now());
  useEffect(() => {
    const timer = browserClock.setTimer(everyMs - (now % everyMs), () => setNow(browserClock.now()));
    return () => timer.cancel();
  }, [now, everyMs]);
  return now;
}
