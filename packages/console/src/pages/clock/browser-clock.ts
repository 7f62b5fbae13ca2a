/** The only place where pages take time from the browser. */
export const browserClock = {
  now: (): number => Date.now(),
  setTimer(ms: number, callback: () => void): { cancel(): void } {
    const timer = window.setTimeout(callback, ms);
    return { cancel: () => window.clearTimeout(timer) };
  },
};
