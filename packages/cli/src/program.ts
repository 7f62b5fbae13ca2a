import { Command } from 'commander';
import { commands, type CreateCommand, hiddenCommands, type SetExitCode } from './commands/index.js';
import { slipwayVersion } from './version.js';

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
