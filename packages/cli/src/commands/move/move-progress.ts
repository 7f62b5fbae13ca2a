import type { MoveProgress } from '@slipway/clusterctl';

/** One line for each phase and object, on standard error where standard output is for a program. */
export function moveProgress(isForProgram: boolean): (progress: MoveProgress) => void {
  const stream = isForProgram ? process.stderr : process.stdout;
  return ({ phase, done, total, object }) => {
    if (object === undefined) stream.write(`${phase}\n`);
    else stream.write(`${phase} ${done + 1}/${total} ${object}\n`);
  };
}
