import { type CommandNode, pathCases } from './command-tree.js';

/** For bash 3.2 and later, without the bash-completion package. */
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
${nodes.map(nodeCase).join('\n')}
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

function nodeCase({ path, subcommands, flags }: CommandNode): string {
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
