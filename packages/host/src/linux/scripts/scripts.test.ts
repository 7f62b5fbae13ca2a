import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as scripts from './index.js';

describe('scripts', () => {
  it.each(Object.entries(scripts))('%s is valid for a POSIX shell', (_name, text) => {
    expect(() => execFileSync('sh', ['-n'], { input: text, stdio: 'pipe' })).not.toThrow();
  });
});

describe('systemctl in a machine', () => {
  let units: string;
  beforeEach(() => {
    units = mkdtempSync(join(tmpdir(), 'units-'));
    writeFileSync(join(units, 'systemctl'), scripts.systemctlScript.replace('/run/slipway/units', units));
  });
  afterEach(() => rmSync(units, { recursive: true }));

  const systemctl = (...args: readonly string[]): string => {
    const { status, stdout } = spawnSync('sh', [join(units, 'systemctl'), ...args], { encoding: 'utf8' });
    return `${stdout.trim()} ${status}`.trim();
  };

  it('stops a unit and waits for its exit, and starts it again', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    writeFileSync(join(units, 'kubelet.pid'), String(child.pid));
    expect(systemctl('is-active', 'kubelet')).toBe('active 0');
    // Normally the supervisor reaps the unit. Here that is the test, which is blocked while it waits.
    process.kill(child.pid ?? 0, 'SIGKILL');
    await ended;
    expect(systemctl('stop', 'kubelet.service')).toBe('0');
    expect(existsSync(join(units, 'kubelet.stopped'))).toBe(true);
    expect(systemctl('is-active', 'kubelet')).toBe('inactive 3');
    expect(systemctl('enable', '--now', 'kubelet')).toBe('0');
    expect(existsSync(join(units, 'kubelet.stopped'))).toBe(false);
  });

  it.each([
    { args: ['daemon-reload'], then: '0' },
    { args: ['is-enabled', 'kubelet'], then: 'enabled 0' },
    { args: ['restart', 'containerd'], then: '0' },
    { args: ['restart', 'sshd'], then: '4' },
    { args: ['mask', 'kubelet'], then: '1' },
  ])('responds to $args', ({ args, then }) => {
    expect(systemctl(...args)).toBe(then);
  });
});
