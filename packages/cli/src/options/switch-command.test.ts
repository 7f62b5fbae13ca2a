import { expect, it } from 'vitest';
import { SwitchCommand } from './switch-command.js';

const parsed = (...words: readonly string[]): { readonly names: readonly string[]; readonly options: object } => {
  const command = new SwitchCommand('x')
    .argument('[name...]')
    .addSwitch('--echo', 'e', false)
    .addSwitch('--grouping', 'g', true);
  command
    .addSwitch('-c, --color', 'c')
    .exitOverride()
    .parse([...words], { from: 'user' });
  return { names: command.args, options: command.opts() };
};

it.each([
  { words: ['demo'], options: { echo: false, grouping: true } },
  { words: ['--echo', 'demo'], options: { echo: true, grouping: true } },
  { words: ['--echo=true', '--grouping=false', 'demo'], options: { echo: true, grouping: false } },
  { words: ['demo', '--echo=0', '--grouping=1', '-c'], options: { echo: false, grouping: true, color: true } },
  { words: ['demo', '--color=false'], options: { echo: false, grouping: true, color: false } },
])('$words', ({ words, options }) => {
  expect(parsed(...words)).toEqual({ names: ['demo'], options });
});
