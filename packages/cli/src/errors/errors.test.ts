import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CliError, exitCodes, onFile, reportError } from './index.js';

it('says what failed and what to do, without a stack', () => {
  const error = new CliError('port 1 is taken', { remedy: 'choose another', exitCode: exitCodes.inUse });
  expect(reportError(error, false)).toEqual({ text: 'slipway: port 1 is taken\n  → choose another\n', exitCode: 4 });
});

it('shows the stacks of an error and its causes when asked', () => {
  const { text } = reportError(new CliError('outer', { cause: new TypeError('inner') }), true);
  expect(text).toMatch(/CliError: outer\n[^]*TypeError: inner/);
});

it('admits what it did not expect', () => {
  expect(reportError(new Error('boom'), false).text).toContain('run the command again with -v');
});

it('names the file that the system refused', async () => {
  await expect(onFile('read', '/nowhere/x', () => readFileSync('/nowhere/x'))).rejects.toThrow(
    'cannot read /nowhere/x: no such file or directory',
  );
});
