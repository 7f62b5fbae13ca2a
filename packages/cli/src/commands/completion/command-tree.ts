import type { Command } from 'commander';

/** A command for shell completion. */
export interface CommandNode {
  /** Names of the subcommands after `slipway`, separated by spaces; '' for `slipway` itself. */
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
  /** Possible values of the flag, if they are known. */
  readonly choices: readonly string[];
}

/** Returns every command with its subcommands and flags. */
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
  const shown = command.options.filter(({ hidden }) => !hidden);
  const flags = shown.map((option) => ({
    long: option.long ?? '',
    short: option.short,
    description: option.description,
    takesValue: option.required,
    choices: option.argChoices ?? [],
  }));
  return [...flags, { long: '--help', short: '-h', description: 'Show help.', takesValue: false, choices: [] }];
}

/** Returns the branches of `case "$path/$word"`, with which a shell finds the command of a partial command line. */
export function pathCases(nodes: readonly CommandNode[]): string {
  const below = nodes.filter(({ path }) => path !== '').map(({ path }) => path.split(' '));
  return below
    .map((words) => `      "${words.slice(0, -1).join(' ')}/${words.at(-1) ?? ''}") path="${words.join(' ')}" ;;`)
    .join('\n');
}
