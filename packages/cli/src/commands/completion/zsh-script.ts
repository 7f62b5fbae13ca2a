import { type CommandFlag, type CommandNode, pathCases } from './command-tree.js';

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
${nodes.map((node) => nodeCase(node, summaries)).join('\n')}
  esac
}
compdef _slipway slipway
`;
}

function nodeCase({ path, subcommands, flags }: CommandNode, summaries: ReadonlyMap<string, string>): string {
  const commands = subcommands.map((name) => {
    const summary = summaries.get(path === '' ? name : `${path} ${name}`) ?? '';
    return `        ${quoted(`${name}:${summary}`)}`;
  });
  const describe =
    commands.length === 0 ? [] : ['      commands=(', ...commands, '      )', '      _describe command commands'];
  const values = flags.flatMap((flag) => flagSpecs(flag));
  return [`    "${path}")`, ...describe, `      _arguments ${values.join(' ')} '*: :_default'`, '      ;;'].join('\n');
}

function flagSpecs({ long, short, description, takesValue, choices }: CommandFlag): string[] {
  const value = !takesValue ? '' : choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
  const text = description.replaceAll(/[[\]:]/g, String.raw`\$&`);
  return [long, short].flatMap((name) => (name === undefined ? [] : [quoted(`${name}[${text}]${value}`)]));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
