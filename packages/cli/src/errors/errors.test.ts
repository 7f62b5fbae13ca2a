import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CliError, exitCodes, onFile, reportError } from './index.js';

it('prints the failure and the remedy without a stack trace', () => {
  const error = new CliError('port 1 is taken', { remedy: 'choose another', exitCode: exitCodes.inUse });
  expect(reportError(error, false)).toEqual({ text: 'slipway: port 1 is taken\n  → choose another\n', exitCode: 4 });
});

it('prints the stack traces of an error and its causes on request', () => {
  const { text } = reportError(new CliError('outer', { cause: new TypeError('inner') }), true);
  expect(text).toMatch(/CliError: outer\n[^]*TypeError: inner/);
});

it('marks an unexpected error', () => {
  expect(reportError(new Error('boom'), false).text).toContain('run the command again with -v');
});

it('adds the path to a system error', async () => {
  await expect(onFile('read', '/nowhere/x', () => readFileSync('/nowhere/x'))).rejects.toThrow(
    'cannot read /nowhere/x: no such file or directory',
  );
});
