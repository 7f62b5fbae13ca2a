import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { exitCodeMeanings, exitCodes } from './errors/index.js';
import { fullNameOf } from './options/global-flags.js';
import { createProgram } from './program.js';

/** Returns every command that help lists, subcommands after their parent. */
function commandsIn(command: Command): Command[] {
  const listed = command.createHelp().visibleCommands(command);
  return [command, ...listed.filter((found) => found.name() !== 'help').flatMap(commandsIn)];
}

/** Returns the help as it is written to a pipe: 80 columns wide, without colors. */
function sectionOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return `## ${fullNameOf(command)}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
}

// Regenerate the page: `npx vitest run --project unit packages/cli/src/reference.test.ts -u`.
it('keeps docs/reference/cli.md equal to the help of the command', async () => {
  const sections = commandsIn(createProgram(() => undefined)).map(sectionOf);
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |\n`,
  );
  const page = `# The \`slipway\` command

Generated from the help of the command. Results are written to standard output, logs and errors to standard error. An error
states what failed, on which object and why, and after an arrow what to do next. \`-v\` adds the stack trace. Color is used
only on a terminal, and never when \`NO_COLOR\` is set.

${sections.join('\n')}
## Exit codes

| code | meaning |
| ---- | ------- |
${codes.join('')}`;
  await expect(page).toMatchFileSnapshot('../../../docs/reference/cli.md');
  const help = page.split('```').filter((_, index) => index % 2 === 1);
  expect(help.flatMap((block) => block.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});
