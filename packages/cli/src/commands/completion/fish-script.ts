import type { CommandFlag, CommandNode } from './command-tree.js';

export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => nodeLines(node, nodes));
  return `# fish completion of slipway: slipway completion fish > ~/.config/fish/completions/slipway.fish
function __slipway_at
    set -l words (commandline -opc)[2..-1]
    set -l path
    for word in $words
        string match -q -- '-*' $word; or set -a path $word
    end
    test (string join ' ' -- $path[1..(count (string split -n ' ' -- "$argv[1]"))] 2>/dev/null) = "$argv[1]"
    and test (count $path) -le (math (count (string split -n ' ' -- "$argv[1]")) + $argv[2])
end
${lines.join('\n')}
`;
}

function nodeLines({ path, subcommands, flags }: CommandNode, nodes: readonly CommandNode[]): string[] {
  // Behind the last word of a command may stand its arguments; a command with others below it has none.
  const room = subcommands.length > 0 ? 0 : 9;
  const at = `-n ${quoted(`__slipway_at ${quotedDouble(path)} ${room}`)}`;
  const commands = subcommands.map((name) => {
    const full = path === '' ? name : `${path} ${name}`;
    const summary = nodes.find((node) => node.path === full)?.summary ?? '';
    return `complete -c slipway -f ${at} -a ${name} -d ${quoted(summary)}`;
  });
  return [...commands, ...flags.map((flag) => flagLine(flag, at))];
}

function flagLine({ long, short, description, takesValue, choices }: CommandFlag, at: string): string {
  const words = [
    `complete -c slipway ${at}`,
    `-l ${long.replace(/^--/, '')}`,
    ...(short === undefined ? [] : [`-s ${short.replace(/^-/, '')}`]),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(' '))}`] : []),
    `-d ${quoted(description)}`,
  ];
  return words.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

function quotedDouble(text: string): string {
  return `"${text}"`;
}
