import { expect, it } from 'vitest';
import { SwitchCommand } from './switch-command.js';

const parsed = (...args: readonly string[]): { readonly names: readonly string[]; readonly options: object } => {
  const command = new SwitchCommand('x')
    .argument('[name...]')
    .addSwitch('--echo', 'e', false)
    .addSwitch('--grouping', 'g', true);
  command
    .addSwitch('-c, --color', 'c')
    .exitOverride()
    .parse([...args], { from: 'user' });
  return { names: command.args, options: command.opts() };
};

it.each([
  { args: ['demo'], options: { echo: false, grouping: true } },
  { args: ['--echo', 'demo'], options: { echo: true, grouping: true } },
  { args: ['--echo=true', '--grouping=false', 'demo'], options: { echo: true, grouping: false } },
  { args: ['demo', '--echo=0', '--grouping=1', '-c'], options: { echo: false, grouping: true, color: true } },
  { args: ['demo', '--color=false'], options: { echo: false, grouping: true, color: false } },
])('parses $args', ({ args, options }) => {
  expect(parsed(...args)).toEqual({ names: ['demo'], options });
});
