import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRequest } from './support/kube-request.js';
import { killPlanes, type Plane, slipway, startPlane } from './support/command.js';

let folder = '';
let plane: Plane;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  plane = await startPlane(at('data'));
  await slipway('backup', at('good.backup'), '--data-dir', at('data'));
  writeFileSync(at('file'), 'something else');
  const bytes = readFileSync(at('good.backup'));
  writeFileSync(at('short.backup'), bytes.subarray(0, bytes.length / 2));
  bytes.write('X', bytes.length - 4_000);
  writeFileSync(at('changed.backup'), bytes);
  mkdirSync(at('interrupted/restoring'), { recursive: true });
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

interface InvalidInvocation {
  readonly name: string;
  readonly args: () => readonly string[];
  readonly code: number;
  readonly stderr: () => readonly string[];
}

const port = (): string => new URL(plane.endpoint).port;

const invalidInvocations: readonly InvalidInvocation[] = [
  {
    name: 'a second instance in the same directory',
    args: () => ['up', '--port', '0', '--data-dir', at('data')],
    code: 4,
    stderr: () => [`in use by process ${plane.pid}, which serves ${plane.endpoint}`, 'slipway down', '--data-dir'],
  },
  {
    name: 'a port that is in use',
    args: () => ['up', '--port', port(), '--data-dir', at('other')],
    code: 4,
    stderr: () => [`port ${port()} on 127.0.0.1 is in use`, '--port'],
  },
  {
    name: 'a bind address of another host',
    args: () => ['up', '--port', '0', '--bind', '192.0.2.1', '--data-dir', at('other')],
    code: 1,
    stderr: () => ['192.0.2.1 is not an address of this host', '--bind'],
  },
  {
    name: 'a data directory that is a file',
    args: () => ['up', '--port', '0', '--data-dir', at('file')],
    code: 1,
    stderr: () => [`cannot use ${at('file')}`, 'is not a directory'],
  },
  {
    name: 'a data directory that cannot be created',
    args: () => ['up', '--port', '0', '--data-dir', '/proc/slipway'],
    code: 1,
    stderr: () => ['cannot use /proc/slipway'],
  },
  {
    name: 'a data directory with an incomplete restore',
    args: () => ['up', '--port', '0', '--data-dir', at('interrupted')],
    code: 1,
    stderr: () => ['did not finish', 'slipway restore'],
  },
  {
    name: 'a kubeconfig file with other content',
    args: () => ['up', '--port', '0', '--data-dir', at('other'), '--kubeconfig', at('file')],
    code: 1,
    stderr: () => ['is not a kubeconfig', '--kubeconfig'],
  },
  {
    name: 'a backup over an existing file',
    args: () => ['backup', at('file'), '--data-dir', at('data')],
    code: 4,
    stderr: () => ['already exists', '--force'],
  },
  {
    name: 'a backup of a missing data directory',
    args: () => ['backup', at('new.backup'), '--data-dir', at('nowhere')],
    code: 1,
    stderr: () => ['no data found in', '--data-dir'],
  },
  {
    name: 'a restore into a data directory that is not empty',
    args: () => ['restore', at('good.backup'), '--data-dir', at('data')],
    code: 4,
    stderr: () => ['is not empty', '--data-dir'],
  },
  {
    name: 'a restore of a file that is not a backup',
    args: () => ['restore', at('file'), '--data-dir', at('new')],
    code: 1,
    stderr: () => ['cannot be restored', 'nothing was written'],
  },
  {
    name: 'a restore of a truncated backup',
    args: () => ['restore', at('short.backup'), '--data-dir', at('new')],
    code: 1,
    stderr: () => ['unexpected end of archive'],
  },
  {
    name: 'a restore of a damaged backup',
    args: () => ['restore', at('changed.backup'), '--data-dir', at('new')],
    code: 1,
    stderr: () => ['the checksum of objects does not match'],
  },
  {
    name: 'an unknown command',
    args: () => ['upp'],
    code: 2,
    stderr: () => ["unknown command 'upp'", 'Did you mean up?'],
  },
  { name: 'an unknown flag', args: () => ['up', '--prot', '1'], code: 2, stderr: () => ['Did you mean --port?'] },
  { name: 'an invalid port', args: () => ['up', '--port', '70000'], code: 2, stderr: () => ['0 to 65535'] },
  { name: 'an invalid duration', args: () => ['down', '--timeout', 'soon'], code: 2, stderr: () => ['30s'] },
  { name: 'a missing argument', args: () => ['backup'], code: 2, stderr: () => ["missing required argument 'file'"] },
  { name: 'an invalid output format', args: () => ['status', '-o', 'xml'], code: 2, stderr: () => ['json, yaml'] },
];

describe('invalid invocations of the command', () => {
  it.each(invalidInvocations)('rejects $name', async ({ args, code, stderr }) => {
    const outcome = await slipway(...args());
    for (const text of stderr()) expect(outcome.stderr).toContain(text);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).not.toContain('    at ');
    expect(readdirSync(folder)).not.toContain('new.backup');
  });

  it('prints the stack trace with -v', async () => {
    const outcome = await slipway('up', '-v', '--port', port(), '--data-dir', at('other'));
    expect(outcome.stderr).toMatch(/ {4}at .*start-errors\.ts/);
  });
});

it('restores after an interrupted restore', async () => {
  copyFileSync(at('file'), at('interrupted/restoring/objects'));
  expect(await slipway('restore', at('good.backup'), '--data-dir', at('interrupted'))).toMatchObject({ code: 0 });
  expect(readdirSync(at('interrupted')).toSorted()).toEqual(['pki', 'store']);
});

it('exits immediately on a second Ctrl-C', async () => {
  const busyPlane = await startPlane(at('stubborn'));
  // A request that never ends delays a graceful stop until its deadline.
  const path = '/api/v1/namespaces/default/configmaps';
  const endless = openRequest(busyPlane.kubeconfig, 'POST', path, { expect: '100-continue' });
  endless.on('error', () => undefined);
  const started = new Promise((resolve) => endless.once('continue', resolve));
  endless.flushHeaders();
  await started;
  busyPlane.child.kill('SIGINT');
  await expect.poll(() => busyPlane.log.join('\n')).toContain('Stopping');
  busyPlane.child.kill('SIGINT');
  expect(await busyPlane.exited).toBe(130);
  endless.destroy();
});
