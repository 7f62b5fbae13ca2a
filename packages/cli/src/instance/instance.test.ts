import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataDirectory, defaultDataDirectory } from './data-directory.js';
import { findInstance, readRunFile, type RunFile, writeRunFile } from './run-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'instance-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run: RunFile = {
  pid: process.pid,
  endpoint: 'https://127.0.0.1:6443',
  kubeconfig: '/data/admin.conf',
  version: '0.1.0',
  apiOnly: false,
  startedAt: '2026-01-01T00:00:00.000Z',
};

it.each([
  [{ XDG_DATA_HOME: '/somewhere' }, '/somewhere/slipway'],
  [{ XDG_DATA_HOME: 'relative' }, join(homedir(), '.local/share/slipway')],
  [{}, join(homedir(), '.local/share/slipway')],
])('with %j the default data directory is %s', (environment, expected) => {
  expect(defaultDataDirectory(environment)).toBe(expected);
});

describe('the file of a running instance', () => {
  it('is read as written, and leaves no temporary file', async () => {
    const path = join(folder, 'run.json');
    await writeRunFile(path, run);
    expect(await readRunFile(path)).toEqual(run);
    expect(readdirSync(folder)).toEqual(['run.json']);
  });

  it.each(['', '{', 'null', '[]', '{"pid":"1"}'])('is ignored if it contains %j', async (text) => {
    writeFileSync(join(folder, 'run.json'), text);
    expect(await readRunFile(join(folder, 'run.json'))).toBeUndefined();
  });

  it('is ignored if no process holds the lock', async () => {
    await writeRunFile(join(folder, 'run.json'), run);
    expect(await findInstance(dataDirectory(folder))).toBeUndefined();
  });
});
