import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { exitCodeMeanings, exitCodes } from '../src/errors/index.js';
import { createProgram } from '../src/program.js';
import { slipway } from './support/command.js';

const names = namesIn(createProgram(() => undefined));

/** Every command that help lists, subcommands after their own. */
function namesIn(command: Command, ...before: readonly string[]): string[][] {
  const listed = command.createHelp().visibleCommands(command);
  return listed
    .filter((found) => found.name() !== 'help')
    .flatMap((found) => [[...before, found.name()], ...namesIn(found, ...before, found.name())]);
}

/** Help as a pipe gets it: 80 columns wide, in plain text. */
async function helpOf(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await slipway(...words, '--help');
  expect(code).toBe(0);
  return stdout.trimEnd();
}

async function sectionOf(words: readonly string[]): Promise<string> {
  return `## ${['slipway', ...words].join(' ')}\n\n\`\`\`text\n${await helpOf(...words)}\n\`\`\`\n`;
}

// The page is the help of the command itself: `npx vitest run --project server packages/cli/test/reference -u` writes it.
it('docs/reference/cli.md says what --help says', { timeout: 600_000 }, async () => {
  const pages = [[], ...names];
  const sections: string[] = [];
  // A few at a time: each is a process, and a hundred at once would all wait for each other longer than one may take.
  for (let first = 0; first < pages.length; first += 6)
    sections.push(...(await Promise.all(pages.slice(first, first + 6).map(sectionOf))));
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |\n`,
  );
  const page = `# The \`slipway\` command

Written from the command itself. Results go to standard output; the log and errors go to standard error. An error says what
failed and where, and after an arrow what to do about it; \`-v\` adds where in the program it came from. Colour is used on a
terminal only, and never when \`NO_COLOR\` is set.

${sections.join('\n')}
## Exit codes

| code | meaning |
| ---- | ------- |
${codes.join('')}`;
  await expect(page).toMatchFileSnapshot('../../../docs/reference/cli.md');
  for (const line of page.split('```').filter((_, index) => index % 2 === 1)) {
    for (const text of line.split('\n')) expect(text.length).toBeLessThanOrEqual(80);
  }
});
