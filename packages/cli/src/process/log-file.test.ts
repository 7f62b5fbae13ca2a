import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFile, rotatedLogs } from './log-file.js';

let folder = '';
const path = (): string => join(folder, 'slipway.log');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('does not touch the file before it is opened', () => {
  writeFileSync(path(), 'of the running process\n');
  new LogFile(path()).write('refused\n');
  expect(readFileSync(path(), 'utf8')).toBe('of the running process\n');
});

it('appends the lines written before and after it is opened', () => {
  writeFileSync(path(), 'earlier run\n');
  const file = new LogFile(path());
  file.write('one\n');
  file.open();
  file.write('two\n');
  expect(readFileSync(path(), 'utf8')).toBe('earlier run\none\ntwo\n');
});

it('rotates by size and keeps a limited number of files', () => {
  const file = new LogFile(path(), { bytesMax: 10, keep: 2 });
  file.open();
  for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n', 'ffff\n', 'gggg\n']) file.write(line);
  const files = rotatedLogs(path());
  expect(files.map((each) => readFileSync(each, 'utf8'))).toEqual(['cccc\ndddd\n', 'eeee\nffff\n', 'gggg\n']);
  expect(existsSync(`${path()}.3`)).toBe(false);
});
