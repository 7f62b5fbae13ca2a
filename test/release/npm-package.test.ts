import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensureRelease, releaseFile } from './release-files.js';
import { quickStartAvailable, runOffline, runQuickStart } from './support/quick-start.js';

let home = '';

beforeAll(() => ensureRelease());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-npm-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Node.js and npm, an empty home directory, and no configuration of npm. */
const environment = (): NodeJS.ProcessEnv => ({
  HOME: home,
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin`,
  npm_config_prefix: join(home, 'prefix'),
});

it('the npm package is installed without a network into an empty directory, and runs the quick start', async () => {
  const options = { cwd: home, env: environment() };
  const installed = await runOffline(`npm install --global ${releaseFile(/^slipway-\d.*\.tgz$/)}`, options);
  expect(installed).toMatchObject({ code: 0 });
  expect(readdirSync(join(home, 'prefix/lib/node_modules'))).toEqual(['slipway']);
  const { code, output } = await runQuickStart(join(home, 'prefix/bin/slipway'), options);
  expect(output).toMatch(quickStartAvailable);
  expect(code).toBe(0);
});

it('the npm package runs with npx, without an installation and without a network', async () => {
  const tarball = releaseFile(/^slipway-\d.*\.tgz$/);
  copyFileSync(tarball, join(home, basename(tarball)));
  const options = { cwd: home, env: environment() };
  const { code, output } = await runOffline(`npx --yes ./${basename(tarball)} version -o short`, options);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^v\d+\.\d+\.\d+$/m) as string });
});
