import { Command, CommanderError } from 'commander';
import { commands, type CreateCommand, hiddenCommands, type SetExitCode } from './commands/index.js';
import { type ExitCode, exitCodes, reportError } from './errors/index.js';
import { slipwayVersion } from './version.js';

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

/** The whole command. `setExitCode` is for commands that end well and still have something to say to scripts. */
export function createProgram(setExitCode: SetExitCode, known: readonly CreateCommand[] = commands): Command {
  const program = new Command('slipway')
    .description('Builds and launches Kubernetes clusters. One process is the management plane.')
    .version(`slipway ${slipwayVersion}`, '--version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'explain a command')
    .addHelpText(
      'after',
      `
Examples:
  slipway up                      start a management plane in this terminal
  slipway status                  is it running, where, and is it well?
  slipway backup plane.backup     copy everything into one file, while it runs`,
    );
  for (const create of known) program.addCommand(create(setExitCode));
  for (const create of hiddenCommands) program.addCommand(create(setExitCode), { hidden: true });
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .showHelpAfterError(`(\`${nameOf(command)} --help\` shows what there is)`)
      .configureHelp({ sortSubcommands: false, minWidthToWrap: 20 });
  }
  return program;
}

/** A command and everything below it, in the order in which help lists them. */
function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
