import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addNamespaceOption, addTargetOptions, addVerboseOption, outputOption } from './common-options.js';
import { moveGlobalFlags } from './global-flags.js';

function program(): Command {
  const kubeconfig = addVerboseOption(
    addNamespaceOption(addTargetOptions(new Command('kubeconfig').argument('<name>'))),
  );
  const generate = new Command('generate').option('-n, --target-namespace <name>').exitOverride();
  const up = addVerboseOption(new Command('up').exitOverride().configureOutput({ writeErr: () => undefined }));
  const get = addNamespaceOption(new Command('get')).addOption(outputOption()).addCommand(kubeconfig);
  return new Command('slipway').addCommand(get).addCommand(generate).addCommand(up);
}

const moved = (line: string): string => moveGlobalFlags(program(), line.split(' ')).join(' ');

it.each([
  { line: 'get kubeconfig demo -n a', moves: 'get kubeconfig demo -n a' },
  { line: '-n a get kubeconfig demo', moves: 'get kubeconfig -n a demo' },
  { line: '-na --kubeconfig=f get kubeconfig demo', moves: 'get kubeconfig -na --kubeconfig=f demo' },
  { line: 'get --namespace a kubeconfig --context b demo', moves: 'get kubeconfig --namespace a --context b demo' },
  { line: '-o json -n a get clusters', moves: 'get -o json -n a clusters' },
  { line: '-n a generate', moves: 'generate -n a' },
  { line: '--namespace a generate', moves: 'generate --target-namespace a' },
  { line: '--namespace=a generate', moves: 'generate --target-namespace=a' },
  { line: '-v up', moves: 'up -v' },
  { line: '-v generate', moves: 'generate' },
  { line: '-n a --help', moves: '--help' },
])('moves the global flags of `slipway $line`', ({ line, moves }) => {
  expect(moved(line)).toBe(moves);
});

it('rejects a global flag that the command does not have', () => {
  expect(() => moved('-o json up')).toThrow('`slipway up` has no flag --output');
});

it('stores --context and --kubeconfig-context in the same option', () => {
  for (const name of ['--context', '--kubeconfig-context']) {
    const command = addTargetOptions(new Command('x')).parse([name, 'b'], { from: 'user' });
    expect(command.opts()).toMatchObject({ kubeconfigContext: 'b' });
  }
});
