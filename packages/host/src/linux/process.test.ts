import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, isAlive, type ProcessIdentity, systemClock } from '@slipway/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { launch, readProcess, recordProcessScript } from './process.js';

// Linux only: processes are identified by their entries in /proc.
describe.runIf(process.platform === 'linux')('a detached process', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'process-'));
    writeFileSync(
      join(directory, 'run.sh'),
      `${recordProcessScript}\necho once >> "$RECORD_DIRECTORY/runs"\nexec sleep 60\n`,
    );
  });
  afterEach(async () => {
    const left = await readProcess(directory);
    if (left !== undefined) await endProcess(left, systemClock);
    rmSync(directory, { recursive: true });
  });
  const start = (): Promise<void> => launch({ directory, script: join(directory, 'run.sh'), environment: {} });

  async function startedProcess(): Promise<ProcessIdentity> {
    await start();
    return vi.waitUntil(() => readProcess(directory), { timeout: 30_000 });
  }

  it('is found by the PID that it recorded, until it exits', async () => {
    const identity = await startedProcess();
    expect(await isAlive(identity)).toBe(true);
    await endProcess(identity, systemClock);
    expect(await isAlive(identity)).toBe(false);
  });

  it('is not confused with another process that has the same PID', async () => {
    const identity = await startedProcess();
    expect(await isAlive({ ...identity, startTime: '1' })).toBe(false);
    expect(await isAlive({ ...identity, bootId: 'another' })).toBe(false);
  });

  it('runs only once when it is started several times', async () => {
    await Promise.all([start(), start(), start()]);
    await expect.poll(() => readFileSync(join(directory, 'runs'), 'utf8')).toBe('once\n');
    await start();
    await expect.poll(() => readProcess(directory)).toBeDefined();
    expect(readFileSync(join(directory, 'runs'), 'utf8')).toBe('once\n');
  });
});
