import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processesNaming, removeHost } from './support/host-folder.js';

it('leaves no process and no directory of a host behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kvm-host-'));
  const machine = spawn('sleep', ['600'], {
    argv0: `qemu -D ${folder}/log`,
    detached: true,
    stdio: 'ignore',
  });
  await once(machine, 'spawn');
  expect(processesNaming(folder)).toEqual([machine.pid]);
  const ended = once(machine, 'exit');
  removeHost(folder);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(folder)).toBe(false);
});
