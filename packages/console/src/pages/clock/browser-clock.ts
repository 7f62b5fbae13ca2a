/** The pages' only access to the browser's clock and timers. */
export const browserClock = {
  now: (): number => Date.now(),
  setTimer(ms: number, callback: () => void): { cancel(): void } {
    const timer = window.setTimeout(callback, ms);
    return { cancel: () => window.clearTimeout(timer) };
  },
};
