import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { fullNameOf } from './options/global-flags.js';
import { createProgram } from './program.js';

const program = createProgram(() => undefined);
const commands = visible(program).slice(1);

function visible(command: Command): Command[] {
  const below = command.createHelp().visibleCommands(command);
  return [command, ...below.filter((each) => each.name() !== 'help').flatMap(visible)];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe.each(commands.map((command) => ({ name: fullNameOf(command), command })))('$name', ({ command }) => {
  it('has a summary that starts with a capital letter and is not a sentence', () => {
    expect(command.summary()).toMatch(/^[A-Z].*[^.]$/);
  });

  it('has descriptions that are sentences', () => {
    const help = command.createHelp();
    const texts = [
      command.description(),
      ...help.visibleOptions(command).map((option) => option.description),
      ...help.visibleArguments(command).map((argument) => argument.description),
    ];
    for (const text of texts) expect(text).toMatch(/^([A-Z]|clusterctl|v[A-Z]|machinedeployment|URL).*\.$/s);
  });

  it('has examples', () => {
    expect(command.commands.length > 0 || helpOf(command).includes('\nExamples:\n  ')).toBe(true);
  });
});

it('groups the commands of slipway --help', () => {
  const headings = helpOf(program).match(/^[A-Z][\w ]*:$/gm);
  expect(headings).toEqual([
    'Options:',
    'Clusters:',
    'Providers:',
    'Diagnosis:',
    'Management plane:',
    'Development:',
    'Other:',
    'Examples:',
  ]);
});
