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

it('the npm package runs the quick start with npx in an empty directory, without an installation and without a network', async () => {
  const tarball = releaseFile(/^slipway-\d.*\.tgz$/);
  copyFileSync(tarball, join(home, basename(tarball)));
  const slipway = `npx --yes ./${basename(tarball)}`;
  // `down` instead of a signal: npx does not pass SIGTERM on.
  const script = `
    ${slipway} up --quick-start --port 0 --log-format json > up.log 2>&1 & plane=$!
    until grep -q 'get nodes' up.log; do kill -0 $plane || break; sleep 0.2; done
    cat up.log
    ${slipway} status && ${slipway} down && wait $plane`;
  const { code, output } = await runOffline(script, { cwd: home, env: environment() });
  expect(output).toMatch(quickStartAvailable);
  expect(code).toBe(0);
});
