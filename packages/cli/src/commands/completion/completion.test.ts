import { execFileSync } from 'node:child_process';
import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandNodes } from './command-tree.js';
import { bashScript, fishScript, zshScript } from './text.js';

const program = new Command('slipway')
  .addCommand(
    new Command('generate').summary('print manifests').addCommand(
      new Command('cluster')
        .summary("a cluster's objects")
        .addOption(new Option('-o, --output <format>', 'how').choices(['json', 'yaml']))
        .option('--write-to <file>', 'where: a file')
        .option('--list-variables', 'only list the variables'),
    ),
  )
  .addCommand(new Command('down').summary('stop'));
const nodes = commandNodes(program);

/** The completions that bash offers for the last word of a line. */
function bashOffers(...words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `${bashScript(nodes)}
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

describe('bash completes', () => {
  it.each([
    { words: ['slipway', ''], then: ['generate', 'down', '--help', '-h'] },
    { words: ['slipway', 'gen'], then: ['generate'] },
    { words: ['slipway', 'generate', ''], then: ['cluster', '--help', '-h'] },
    { words: ['slipway', 'generate', 'cluster', '--li'], then: ['--list-variables'] },
    { words: ['slipway', 'generate', 'cluster', 'demo', '-o', ''], then: ['json', 'yaml'] },
    { words: ['slipway', 'generate', 'cluster', '--output', 'j'], then: ['json'] },
    { words: ['slipway', 'down', 'x'], then: [] },
  ])('$words', ({ words, then }) => expect(bashOffers(...words)).toEqual(then));
});

it('zsh and fish get every command and flag, and texts cannot break out of their quotes', () => {
  expect(zshScript(nodes)).toContain(`'cluster:a cluster'"'"'s objects'`);
  expect(zshScript(nodes)).toContain(`'--output[how]:value:(json yaml)'`);
  expect(zshScript(nodes)).toContain(String.raw`'--write-to[where\: a file]:value:_files'`);
  expect(fishScript(nodes)).toContain(String.raw`-a cluster -d 'a cluster\'s objects'`);
  expect(fishScript(nodes)).toContain(`-l output -s o -r -f -a 'json yaml' -d 'how'`);
});
