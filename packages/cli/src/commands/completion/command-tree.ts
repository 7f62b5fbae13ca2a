import type { Command } from 'commander';

/** A command as completion sees it. */
export interface CommandNode {
  /** Words after `slipway`, '' for the command itself. */
  readonly path: string;
  readonly summary: string;
  readonly subcommands: readonly string[];
  readonly flags: readonly CommandFlag[];
}

export interface CommandFlag {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  /** The values to choose from, where that is known. */
  readonly choices: readonly string[];
}

/** Every command with what may follow it. */
export function commandNodes(program: Command): readonly CommandNode[] {
  const visit = (command: Command, path: string): CommandNode[] => [
    {
      path,
      summary: command.summary() || command.description(),
      subcommands: command.commands.map((each) => each.name()),
      flags: flagsOf(command),
    },
    ...command.commands.flatMap((each) => visit(each, path === '' ? each.name() : `${path} ${each.name()}`)),
  ];
  return visit(program, '');
}

function flagsOf(command: Command): CommandFlag[] {
  const flags = command.options.map((option) => ({
    long: option.long ?? '',
    short: option.short,
    description: option.description,
    takesValue: option.required,
    choices: option.argChoices ?? [],
  }));
  return [...flags, { long: '--help', short: '-h', description: 'explain a command', takesValue: false, choices: [] }];
}

/** Branches of a shell's `case "$path/$word"`, by which it finds the command that a line has come to. */
export function pathCases(nodes: readonly CommandNode[]): string {
  const below = nodes.filter(({ path }) => path !== '').map(({ path }) => path.split(' '));
  return below
    .map((words) => `      "${words.slice(0, -1).join(' ')}/${words.at(-1) ?? ''}") path="${words.join(' ')}" ;;`)
    .join('\n');
}
