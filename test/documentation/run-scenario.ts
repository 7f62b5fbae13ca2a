import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../scripts/documented-commands/scenario.js';
import { ensureTmux } from '../support/tmux.js';
import { Shell } from './shell.js';

const untilMs = 180_000;

/** Declares a test for each step, in one shell. */
export function runScenario({ title, servers = {}, steps }: Scenario): void {
  describe(`documented commands: ${title}`, () => {
    let shell: Shell;
    beforeAll(async () => {
      if (steps.some(({ answers }) => answers !== undefined)) ensureTmux();
      shell = await Shell.open();
      for (const [name, what] of Object.entries(servers)) await shell.serve(name, what);
    });
    afterAll(() => shell?.close());

    for (const step of steps)
      it(`runs ${step.command}`, async () => {
        expect(await perform(shell, step)).toBeUndefined();
      });
  });
}

/** Runs a step. Throws with the output if it does not end as expected. */
async function perform(shell: Shell, step: Step): Promise<void> {
  const { command, before, background, names = {}, until, keepsRunning = false } = step;
  if (background !== undefined) shell.start(background);
  if (before !== undefined) await succeed(shell, before);
  let line = command;
  for (const [name, expression] of Object.entries(names)) line = line.replaceAll(name, expression);
  if (command.startsWith('export ')) return shell.export(line);
  if (until === undefined) return succeed(shell, line, step);
  const started = shell.start(`exec ${line}`);
  await started.said(until, untilMs);
  if (!keepsRunning) await started.stop('SIGINT');
}

async function succeed(
  shell: Shell,
  commands: string,
  { exitCode = 0, input, answers }: Pick<Step, 'exitCode' | 'input' | 'answers'> = {},
): Promise<void> {
  const { code, stdout, stderr } =
    answers === undefined ? await shell.run(commands, input) : await shell.converse(commands, answers);
  if (code !== exitCode) throw new Error(`${commands}\nended with ${code}, not ${exitCode}:\n${stderr}${stdout}`);
}
