import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureRelease, releaseFile } from './release-files.js';
import { quickStartAvailable, runQuickStart } from './support/quick-start.js';

const executablePattern = /-linux-(?:x64|arm64)$/;

let home = '';
let program = '';

beforeAll(() => ensureRelease());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-executable-'));
  program = join(home, 'slipway');
  copyFileSync(releaseFile(executablePattern), program);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Only the home directory: neither Node.js nor anything else is on the PATH. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({ HOME: home, PATH: '', ...more });
const run = (name: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): string =>
  execFileSync(join(home, name), args, { env: environment(more), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const cached = (): string => join(home, '.cache/slipway', readdirSync(join(home, '.cache/slipway'))[0] ?? '');

describe('the single executable', () => {
  it('unpacks its files once into a private directory of the user', () => {
    expect(run('slipway', ['version', '-o', 'short'])).toMatch(/^v\d+\.\d+\.\d+\n$/);
    expect(statSync(join(home, '.cache/slipway')).mode & 0o777).toBe(0o700);
    const { ino } = statSync(cached());
    run('slipway', ['version']);
    expect(readdirSync(join(home, '.cache/slipway'))).toHaveLength(1);
    expect(statSync(cached()).ino).toBe(ino);
  });

  it('replaces files that a power failure or a cleaner emptied', () => {
    run('slipway', ['version']);
    truncateSync(join(cached(), 'dist/slipway.mjs'));
    expect(run('slipway', ['version', '-o', 'short'])).toMatch(/^v/);
    expect(readdirSync(join(home, '.cache/slipway'))).toHaveLength(1);
  });

  it('does not load code from a directory that other users can change', () => {
    const cache = join(home, 'open');
    mkdirSync(join(cache, 'slipway'), { recursive: true });
    chmodSync(join(cache, 'slipway'), 0o777);
    const temporary = join(home, 'temporary');
    mkdirSync(temporary);
    expect(run('slipway', ['version', '-o', 'short'], { XDG_CACHE_HOME: cache, TMPDIR: temporary })).toMatch(/^v/);
    expect(readdirSync(join(cache, 'slipway'))).toEqual([]);
    expect(readdirSync(temporary)).toEqual([`slipway-${process.getuid?.() ?? 0}`]);
  });

  it('runs `slipway drivers` under the name vdoctl', () => {
    symlinkSync('slipway', join(home, 'vdoctl'));
    expect(run('vdoctl', ['--help'])).toContain('Usage: slipway drivers');
  });

  it('runs the quick start without a network and an empty home directory', async () => {
    const env = environment({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin' });
    const { code, output } = await runQuickStart(program, { cwd: home, env });
    expect(output).toMatch(quickStartAvailable);
    expect(code).toBe(0);
  });
});
