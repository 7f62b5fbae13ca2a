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

/** Returns the completions that bash offers for the last word of a line. */
function bashOffers(...args: readonly string[]): string[] {
  const line = args.map((word) => `'${word}'`).join(' ');
  const script = `${bashScript(nodes)}
COMP_WORDS=(${line}); COMP_CWORD=${args.length - 1}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

describe('bash completion', () => {
  it.each([
    { args: ['slipway', ''], then: ['generate', 'down', '--help', '-h'] },
    { args: ['slipway', 'gen'], then: ['generate'] },
    { args: ['slipway', 'generate', ''], then: ['cluster', '--help', '-h'] },
    { args: ['slipway', 'generate', 'cluster', '--li'], then: ['--list-variables'] },
    { args: ['slipway', 'generate', 'cluster', 'demo', '-o', ''], then: ['json', 'yaml'] },
    { args: ['slipway', 'generate', 'cluster', '--output', 'j'], then: ['json'] },
    { args: ['slipway', 'down', 'x'], then: [] },
  ])('completes $args', ({ args, then }) => expect(bashOffers(...args)).toEqual(then));
});

it('zsh and fish scripts contain every command and flag, and texts cannot break out of their quotes', () => {
  expect(zshScript(nodes)).toContain(`'cluster:a cluster'"'"'s objects'`);
  expect(zshScript(nodes)).toContain(`'--output[how]:value:(json yaml)'`);
  expect(zshScript(nodes)).toContain(String.raw`'--write-to[where\: a file]:value:_files'`);
  expect(fishScript(nodes)).toContain(String.raw`-a cluster -d 'a cluster\'s objects'`);
  expect(fishScript(nodes)).toContain(`-l output -s o -r -f -a 'json yaml' -d 'how'`);
});
