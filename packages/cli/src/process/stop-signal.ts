import { exitCodes } from '../errors/index.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the name of the first stop signal; a second signal exits immediately. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      // The process can exit immediately: acknowledged writes are on disk.
      if (isStopping) process.exit(exitCodes.interrupted);
      isStopping = true;
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
}
