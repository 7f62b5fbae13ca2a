// Installs the npm package into dist/installed for tests and benchmarks as a user does: from its tarball and without a network.
// Does nothing if the installation is newer than the bundle.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packNpmPackage } from './release/npm-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const installation = join(root, 'dist/installed');
const installed = join(installation, 'lib/node_modules/slipway/package.json');
const bundle = join(root, 'packages/cli/dist/slipway.mjs');

execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' });
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(bundle).mtimeMs) {
  const tarball = packNpmPackage(join(root, 'dist/packed'));
  rmSync(installation, { recursive: true, force: true });
  mkdirSync(installation, { recursive: true });
  const options = ['--prefix', installation, '--offline', '--no-audit', '--no-fund', '--no-update-notifier'];
  execFileSync('npm', ['install', '--global', ...options, tarball], { stdio: ['ignore', 'ignore', 'inherit'] });
  // The modification time is set to now, because npm preserves the timestamps of the tarball.
  const now = new Date();
  utimesSync(installed, now, now);
}
