import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, reportError } from './errors/index.js';
import { commands, type CreateCommand } from './commands/index.js';
import { createProgram } from './program.js';

/** Runs one command line to its end and gives the exit code. */
export async function runCommandLine(
  words: readonly string[],
  known: readonly CreateCommand[] = commands,
): Promise<ExitCode> {
  const verbose = words.includes('-v') || words.includes('--verbose');
  // Before the command's bundle is loaded, so that stacks name sources; parsing the map costs too much to do it always.
  if (verbose) process.setSourceMapsEnabled(true);
  // A reader that went away (`slipway up | head -1`) is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  const release = keepAlive();
  let exitCode: ExitCode = exitCodes.ok;
  const program = createProgram((code) => {
    exitCode = code;
  }, known);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // The command line itself: commander has said what is wrong with it, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const report = reportError(error, verbose);
    process.stderr.write(report.text);
    return report.exitCode;
  } finally {
    release();
  }
}

/** Timers of our clock do not hold the process; a command that waits on one needs something that does. */
function keepAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}
