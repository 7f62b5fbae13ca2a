import { realpathSync } from 'node:fs';
import { isSea } from 'node:sea';

/** Returns the command line that starts this program again, without arguments. */
export function programCommandLine(): readonly string[] {
  // A single executable has no script, and passes options of Node.js to the program.
  if (isSea()) return [process.execPath];
  const [node = process.execPath, program = ''] = process.argv;
  return [node, ...process.execArgv, program === '' ? program : realpathSync(program)];
}
