import { type Argument, Command, CommanderError, type Option } from 'commander';
import { commands, type CreateCommand, hiddenCommands, otherCommands, type SetExitCode } from './commands/index.js';
import { type ExitCode, exitCodes, reportError } from './errors/index.js';
import { fullNameOf, globalFlagsHelp, moveGlobalFlags } from './options/global-flags.js';
import { slipwayVersion } from './version.js';

const helpSummary = 'Show help for a command';

/** Runs one command line and returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  known: readonly CreateCommand[] = commands,
): Promise<ExitCode> {
  const verbose = args.includes('-v') || args.includes('--verbose');
  // Must precede the import of the command's bundle. Not enabled by default, because parsing the source map is slow.
  if (verbose) process.setSourceMapsEnabled(true);
  // A closed pipe (`slipway up | head -1`) must not stop the management plane.
  process.stdout.on('error', () => undefined);
  const release = keepAlive();
  let exitCode: ExitCode = exitCodes.ok;
  const program = createProgram((code) => {
    exitCode = code;
  }, known);
  try {
    await program.parseAsync(moveGlobalFlags(program, args), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the usage error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const report = reportError(error, verbose);
    process.stderr.write(report.text);
    return report.exitCode;
  } finally {
    release();
  }
}

/** Keeps the process alive while a command waits on a timer of the system clock, which does not. */
function keepAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}

/** Creates the program with all commands. A command calls `setExitCode` if it succeeds with an exit code other than 0. */
export function createProgram(setExitCode: SetExitCode, known: readonly CreateCommand[] = commands): Command {
  const program = new Command('slipway')
    .description(
      'Build and manage Kubernetes clusters with Cluster API. `slipway up` runs a management plane in one process.',
    )
    .version(`slipway ${slipwayVersion}`, '--version', 'Print the version.')
    // Lets a command and its subcommand have a flag of the same name: `delete` and `delete cluster`.
    .enablePositionalOptions()
    .commandsGroup(otherCommands)
    .helpCommand('help [command]', helpSummary)
    .addHelpText(
      'after',
      `${globalFlagsHelp}
Examples:
  slipway up --quick-start        Start a management plane and a first cluster
  slipway create cluster demo     Create a workload cluster
  slipway describe cluster demo   Show its objects and status
  slipway why demo                Explain why it is not ready`,
    );
  for (const create of known) program.addCommand(create(setExitCode));
  for (const create of hiddenCommands) program.addCommand(create(setExitCode), { hidden: true });
  for (const command of withSubcommands(program)) {
    if (command.description() === '') command.description(`${command.summary()}.`);
    command
      .exitOverride()
      .showSuggestionAfterError()
      .showHelpAfterError(`Run \`${fullNameOf(command)} --help\` for usage.`)
      .helpOption('-h, --help', 'Show help.')
      .configureHelp({
        sortSubcommands: false,
        minWidthToWrap: 20,
        optionDescription,
        argumentDescription,
        subcommandDescription,
      });
  }
  return program;
}

/** Returns a command and its subcommands, in the order of the help. */
function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Formats the help of a flag as kubectl does: "Output format. One of: json, yaml. (default: …)". */
function optionDescription({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices === undefined ? '' : ` One of: ${argChoices.join(', ')}.`;
  const shown = defaultValueDescription ?? plainDefault(defaultValue);
  return `${description}${choices}${shown === '' ? '' : ` (default: ${shown})`}`;
}

/**
 * Returns the description of a command. Commander adds `help` to every command with subcommands, with a different
 * description.
 */
function subcommandDescription(command: Command): string {
  return command.name() === 'help' ? helpSummary : command.summary();
}

function argumentDescription({ description, argChoices }: Argument): string {
  return argChoices === undefined ? description : `${description} One of: ${argChoices.join(', ')}.`;
}

function plainDefault(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : value === true ? 'true' : '';
}
