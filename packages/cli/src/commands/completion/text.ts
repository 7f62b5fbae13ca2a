import { type CommandFlag, type CommandNode, pathCases } from './command-tree.js';

/** Returns the script for bash 3.2 and later, without the bash-completion package. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# bash completion of slipway; in ~/.bashrc: source <(slipway completion bash)
_slipway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word words="" values=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path/$word" in
${pathCases(nodes)}
    esac
  done
  case "$path" in
${nodes.map(bashCase).join('\n')}
  esac
  if [[ -n $values ]]; then
    [[ $values == FILES ]] && COMPREPLY=($(compgen -f -- "$current")) || COMPREPLY=($(compgen -W "$values" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _slipway slipway
`;
}

function bashCase({ path, subcommands, flags }: CommandNode): string {
  const words = [...subcommands, ...flags.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]))];
  const values = flags
    .filter(({ takesValue, choices }) => takesValue && choices.length > 0)
    .map(
      ({ long, short, choices }) =>
        `      case "$previous" in ${[long, short].filter(Boolean).join('|')}) values="${choices.join(' ')}" ;; esac`,
    );
  const files = flags
    .filter(({ takesValue, choices }) => takesValue && choices.length === 0)
    .flatMap(({ long, short }) => [long, short].filter(Boolean));
  return [
    `    "${path}")`,
    `      words="${words.join(' ')}"`,
    ...values,
    ...(files.length > 0 ? [`      case "$previous" in ${files.join('|')}) values=FILES ;; esac`] : []),
    '      ;;',
  ].join('\n');
}

export function zshScript(nodes: readonly CommandNode[]): string {
  const summaries = new Map(nodes.map(({ path, summary }) => [path, summary]));
  return `#compdef slipway
# zsh completion of slipway: slipway completion zsh > "\${fpath[1]}/_slipway"
_slipway() {
  local path="" word
  local -a commands
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path/$word" in
${pathCases(nodes)}
    esac
  done
  case "$path" in
${nodes.map((node) => zshCase(node, summaries)).join('\n')}
  esac
}
compdef _slipway slipway
`;
}

function zshCase({ path, subcommands, flags }: CommandNode, summaries: ReadonlyMap<string, string>): string {
  const commands = subcommands.map((name) => {
    const summary = summaries.get(path === '' ? name : `${path} ${name}`) ?? '';
    return `        ${quotedForZsh(`${name}:${summary}`)}`;
  });
  const describe =
    commands.length === 0 ? [] : ['      commands=(', ...commands, '      )', '      _describe command commands'];
  const values = flags.flatMap((flag) => zshFlags(flag));
  return [`    "${path}")`, ...describe, `      _arguments ${values.join(' ')} '*: :_default'`, '      ;;'].join('\n');
}

function zshFlags({ long, short, description, takesValue, choices }: CommandFlag): string[] {
  const value = !takesValue ? '' : choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
  const text = description.replaceAll(/[[\]:]/g, String.raw`\$&`);
  return [long, short].flatMap((name) => (name === undefined ? [] : [quotedForZsh(`${name}[${text}]${value}`)]));
}

function quotedForZsh(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => fishLines(node, nodes));
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

function fishLines({ path, subcommands, flags }: CommandNode, nodes: readonly CommandNode[]): string[] {
  // Only a command without subcommands can have arguments after its name.
  const room = subcommands.length > 0 ? 0 : 9;
  const at = `-n ${quotedForFish(`__slipway_at ${quotedDouble(path)} ${room}`)}`;
  const commands = subcommands.map((name) => {
    const full = path === '' ? name : `${path} ${name}`;
    const summary = nodes.find((node) => node.path === full)?.summary ?? '';
    return `complete -c slipway -f ${at} -a ${name} -d ${quotedForFish(summary)}`;
  });
  return [...commands, ...flags.map((flag) => fishFlag(flag, at))];
}

function fishFlag({ long, short, description, takesValue, choices }: CommandFlag, at: string): string {
  const words = [
    `complete -c slipway ${at}`,
    `-l ${long.replace(/^--/, '')}`,
    ...(short === undefined ? [] : [`-s ${short.replace(/^-/, '')}`]),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-f -a ${quotedForFish(choices.join(' '))}`] : []),
    `-d ${quotedForFish(description)}`,
  ];
  return words.join(' ');
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

function quotedDouble(text: string): string {
  return `"${text}"`;
}
