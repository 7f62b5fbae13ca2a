import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface DocumentedCommand {
  readonly page: string;
  readonly command: string;
}

const programs =
  /^(?:sudo )?(?:(?:slipway|kubectl|clusterctl|kustomize|npm|npx|git) |export [A-Z]|source <\(slipway |cat [a-z.]+ \| )/;
const blocks = /^```(?:sh|text)?\n([^]*?)^```$|^((?: {4,}.*\n(?:\n(?= {4}))?)+)/gm;

/** Returns every command in a code block of README.md and of the pages below docs, without its comment. */
export function documentedCommands(): DocumentedCommand[] {
  return commandsOf((text) =>
    [...text.matchAll(blocks)].flatMap(([, fenced, indented]) => commandLines(fenced ?? indented ?? '')),
  );
}

/** Returns every `slipway` command in inline code of these pages, often without its arguments. */
export function mentionedCommands(): DocumentedCommand[] {
  return commandsOf((text) =>
    [...text.replaceAll(blocks, '').matchAll(/`(slipway [^`]+)`/g)].map(([, command = '']) =>
      command.replaceAll(/\s+/g, ' '),
    ),
  );
}

function commandsOf(find: (text: string) => readonly string[]): DocumentedCommand[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = ['README.md', ...pages.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];
  return names.sort().flatMap((page) => {
    const found = find(readFileSync(join(root, page), 'utf8'));
    return [...new Set(found)].map((command) => ({ page, command }));
  });
}

/** Returns the command lines of a block: a backslash continues a line, two spaces or a comment end the command. */
function commandLines(block: string): string[] {
  return block
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => programs.test(`${line} `))
    .map((line) => line.replace(/ +# .*$|(?<=\S) {2,}[A-Z].*$/, ''));
}
