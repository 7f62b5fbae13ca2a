// Writes a release with everything that users install to dist/release.
// npm run release                      for this host's platform, without a network
// npm run release -- --all-platforms   downloads the storage modules of the other platforms first, once
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchNativeModules } from './release/fetch-native.mjs';
import { nativePackages, packNpmPackage } from './release/npm-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/release');

const megabytes = (file) => `${(statSync(file).size / 1_000_000).toFixed(1)} MB`;
const report = (file) => console.log(`release: ${basename(file)} (${megabytes(file)})`);

function writeChecksums() {
  const lines = readdirSync(target)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(target, 'SHA256SUMS'), lines.join(''));
}

const { values } = parseArgs({ options: { 'all-platforms': { type: 'boolean', default: false } } });
if (values['all-platforms']) fetchNativeModules(root, nativePackages);
execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' });
rmSync(target, { recursive: true, force: true });
report(packNpmPackage(target));
writeChecksums();
