import { useEffect, useState } from 'preact/hooks';
import { browserClock } from './browser-clock.js';

/** The current time, updated at an interval, for ages. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => browserClock.now());
  useEffect(() => {
    const timer = browserClock.setTimer(everyMs - (now % everyMs), () => setNow(browserClock.now()));
    return () => timer.cancel();
  }, [now, everyMs]);
  return now;
}
