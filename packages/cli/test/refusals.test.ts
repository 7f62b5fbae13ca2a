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

interface Refusal {
  readonly name: string;
  readonly words: () => readonly string[];
  readonly code: number;
  readonly says: () => readonly string[];
}

const port = (): string => new URL(plane.endpoint).port;

const refusals: readonly Refusal[] = [
  {
    name: 'a second instance in the same directory',
    words: () => ['up', '--port', '0', '--data-dir', at('data')],
    code: 4,
    says: () => [`in use by process ${plane.pid}, which serves ${plane.endpoint}`, 'slipway down', '--data-dir'],
  },
  {
    name: 'a port that is taken',
    words: () => ['up', '--port', port(), '--data-dir', at('other')],
    code: 4,
    says: () => [`port ${port()} on 127.0.0.1 is in use`, '--port'],
  },
  {
    name: 'an address of another machine',
    words: () => ['up', '--port', '0', '--bind', '192.0.2.1', '--data-dir', at('other')],
    code: 1,
    says: () => ['192.0.2.1 is not an address of this host', '--bind'],
  },
  {
    name: 'a data directory that is a file',
    words: () => ['up', '--port', '0', '--data-dir', at('file')],
    code: 1,
    says: () => [`cannot use ${at('file')}`, 'is not a directory'],
  },
  {
    name: 'a data directory that cannot be made',
    words: () => ['up', '--port', '0', '--data-dir', '/proc/slipway'],
    code: 1,
    says: () => ['cannot use /proc/slipway'],
  },
  {
    name: 'a directory whose restore did not finish',
    words: () => ['up', '--port', '0', '--data-dir', at('interrupted')],
    code: 1,
    says: () => ['did not finish', 'slipway restore'],
  },
  {
    name: 'a kubeconfig that is something else',
    words: () => ['up', '--port', '0', '--data-dir', at('other'), '--kubeconfig', at('file')],
    code: 1,
    says: () => ['is not a kubeconfig', '--kubeconfig'],
  },
  {
    name: 'a backup over an existing file',
    words: () => ['backup', at('file'), '--data-dir', at('data')],
    code: 4,
    says: () => ['already exists', '--force'],
  },
  {
    name: 'a backup of nothing',
    words: () => ['backup', at('new.backup'), '--data-dir', at('nowhere')],
    code: 1,
    says: () => ['no data found in', '--data-dir'],
  },
  {
    name: 'a restore over data',
    words: () => ['restore', at('good.backup'), '--data-dir', at('data')],
    code: 4,
    says: () => ['is not empty', '--data-dir'],
  },
  {
    name: 'a restore of something else',
    words: () => ['restore', at('file'), '--data-dir', at('new')],
    code: 1,
    says: () => ['cannot be restored', 'nothing was written'],
  },
  {
    name: 'a restore of half a backup',
    words: () => ['restore', at('short.backup'), '--data-dir', at('new')],
    code: 1,
    says: () => ['unexpected end of archive'],
  },
  {
    name: 'a restore of a damaged backup',
    words: () => ['restore', at('changed.backup'), '--data-dir', at('new')],
    code: 1,
    says: () => ['the checksum of objects does not match'],
  },
  {
    name: 'an unknown command',
    words: () => ['upp'],
    code: 2,
    says: () => ["unknown command 'upp'", 'Did you mean up?'],
  },
  { name: 'an unknown flag', words: () => ['up', '--prot', '1'], code: 2, says: () => ['Did you mean --port?'] },
  { name: 'a bad port', words: () => ['up', '--port', '70000'], code: 2, says: () => ['0 to 65535'] },
  { name: 'a bad time', words: () => ['down', '--timeout', 'soon'], code: 2, says: () => ['30s'] },
  { name: 'a missing argument', words: () => ['backup'], code: 2, says: () => ["missing required argument 'file'"] },
  { name: 'a bad format', words: () => ['status', '-o', 'xml'], code: 2, says: () => ['json, yaml'] },
];

describe('the command refuses', () => {
  it.each(refusals)('$name', async ({ words, code, says }) => {
    const outcome = await slipway(...words());
    for (const text of says()) expect(outcome.stderr).toContain(text);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).not.toContain('    at ');
    expect(readdirSync(folder)).not.toContain('new.backup');
  });

  it('and shows where an error came from when asked', async () => {
    const outcome = await slipway('up', '-v', '--port', port(), '--data-dir', at('other'));
    expect(outcome.stderr).toMatch(/ {4}at .*start-errors\.ts/);
  });
});

it('restores after an interrupted restore', async () => {
  copyFileSync(at('file'), at('interrupted/restoring/objects'));
  expect(await slipway('restore', at('good.backup'), '--data-dir', at('interrupted'))).toMatchObject({ code: 0 });
  expect(readdirSync(at('interrupted')).toSorted()).toEqual(['pki', 'store']);
});

it('stops at once at a second Ctrl-C', async () => {
  const stubborn = await startPlane(at('stubborn'));
  // A request that never ends holds an orderly stop up until its deadline.
  const path = '/api/v1/namespaces/default/configmaps';
  const endless = openRequest(stubborn.kubeconfig, 'POST', path, { expect: '100-continue' });
  endless.on('error', () => undefined);
  const begun = new Promise((resolve) => endless.once('continue', resolve));
  endless.flushHeaders();
  await begun;
  stubborn.child.kill('SIGINT');
  await expect.poll(() => stubborn.log.join('\n')).toContain('Stopping');
  stubborn.child.kill('SIGINT');
  expect(await stubborn.exited).toBe(130);
  endless.destroy();
});
