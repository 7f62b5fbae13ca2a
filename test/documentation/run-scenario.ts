import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../scripts/documented-commands/scenario.js';
import { Shell } from './shell.js';

const untilMs = 180_000;

/** Declares a test for each step, in one shell. */
export function runScenario({ title, steps }: Scenario): void {
  describe(`documented commands: ${title}`, () => {
    let shell: Shell;
    beforeAll(async () => {
      shell = await Shell.open();
    });
    afterAll(() => shell?.close());

    for (const step of steps)
      it(`runs ${step.command}`, async () => {
        expect(await perform(shell, step)).toBeUndefined();
      });
  });
}

/** Runs a step, and throws with the output if it does not end as it should. */
async function perform(shell: Shell, step: Step): Promise<void> {
  const {
    command,
    before,
    background: meanwhile,
    names = {},
    input,
    exitCode = 0,
    until,
    keepsRunning: isKept = false,
  } = step;
  if (meanwhile !== undefined) shell.start(meanwhile);
  if (before !== undefined) await succeed(shell, before);
  let line = command;
  for (const [name, expression] of Object.entries(names)) line = line.replaceAll(name, expression);
  if (command.startsWith('export ')) return shell.export(line);
  if (until === undefined) return succeed(shell, line, exitCode, input);
  const started = shell.start(`exec ${line}`);
  await started.said(until, untilMs);
  if (!isKept) await started.stop('SIGINT');
}

async function succeed(shell: Shell, commands: string, exitCode = 0, input?: string): Promise<void> {
  const { code, stdout, stderr } = await shell.run(commands, input);
  if (code !== exitCode) throw new Error(`${commands}\nended with ${code}, not ${exitCode}:\n${stderr}${stdout}`);
}
