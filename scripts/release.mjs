// Writes a release with everything that users install to dist/release.
// npm run release                      for this host's platform, without a network
// npm run release -- --all-platforms   downloads the storage modules of the other platforms first, once
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packChart } from './release/chart.mjs';
import { buildExecutable } from './release/executable.mjs';
import { fetchNativeModules } from './release/fetch-native.mjs';
import { buildImages } from './release/images.mjs';
import { packLibraries } from './release/library-packages.mjs';
import { nativePackages, packNpmPackage } from './release/npm-package.mjs';
import { writeProviders } from './release/providers.mjs';
import { debianPackages, nodePackage, npmPackages, writeSbom } from './release/sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/release');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { version } = readJson('package.json');
/** The directory that `packNpmPackage` packs, from which the other artifacts take the program. */
const npmPackage = join(root, 'dist/npm/slipway');

function writeNpmPackage() {
  writeSbom(packNpmPackage(target), { version, packages: bundled() });
}

/** Writes the library packages. They bundle nothing, so that they have no bill of materials: npm lists their dependencies. */
function writeLibraries() {
  packLibraries(target);
}

async function writeExecutable() {
  const file = await buildExecutable(target, { version, npmPackage });
  writeSbom(file, { version, packages: [nodePackage(), ...bundled()] });
}

const images = readJson('packages/cli/src/own-images.json');
const references = { manager: `${images.manager}:v${version}`, vmm: `${images.vmm}:v${version}` };

function writeImages() {
  for (const { file, packages } of buildImages(target, { version, npmPackage, references }))
    writeSbom(file, { version, packages: [nodePackage(), ...debianPackages(packages), ...bundled()] });
}

/** Writes the files that run `slipway up` as a service. */
function writeServiceFiles() {
  const folder = join(root, 'scripts/release/service');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(target, name), text.replace('@IMAGE@', references.manager));
  }
}

function writeChecksums() {
  const lines = readdirSync(target, { recursive: true })
    .filter((name) => statSync(join(target, name)).isFile())
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(target, 'SHA256SUMS'), lines.join(''));
}

const bundled = () => npmPackages(join(root, 'packages/cli/dist/third-party.json'));

/** Reports the files that a step added, with their size. */
async function run(step) {
  const before = new Set(readdirSync(target));
  await step();
  for (const name of readdirSync(target).filter((each) => !before.has(each))) {
    const stats = statSync(join(target, name));
    const megabytes = (stats.size / 1_000_000).toFixed(1);
    console.log(stats.isDirectory() ? `release: ${name}/` : `release: ${name} (${megabytes} MB)`);
  }
}

const { values } = parseArgs({ options: { 'all-platforms': { type: 'boolean', default: false } } });
if (values['all-platforms']) fetchNativeModules(root, nativePackages);
execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' });
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const steps = [
  writeNpmPackage,
  writeLibraries,
  writeExecutable,
  writeImages,
  () => packChart(target),
  () => writeProviders(target),
  writeServiceFiles,
  writeChecksums,
];
for (const step of steps) await run(step);
