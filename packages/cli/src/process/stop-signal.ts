import { exitCodes } from '../errors/index.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the name of the first signal that asks the process to stop; a second one ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      // Whatever was acknowledged is on disk: there is nothing to lose.
      if (asked) process.exit(exitCodes.interrupted);
      asked = true;
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
