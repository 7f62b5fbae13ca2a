// Builds the npm package `slipway`: the bundled command with the compiled storage modules, without dependencies.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyNativeModules } from '../build/native-module.mjs';
import { setFileModes } from './file-modes.mjs';
import { licenseText } from './third-party.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = join(root, 'packages/cli');

/** Directory with the storage modules of other platforms; see fetch-native.mjs. */
export const nativePackages = join(root, 'dist/native-packages');

/** Writes the package into a directory, as npm unpacks it. Needs the bundle of `npm run build`. */
function stageNpmPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(join(root, name), join(folder, name));
  cpSync(join(command, 'bin'), join(folder, 'bin'), { recursive: true });
  const filter = (file) => basename(file) !== 'third-party.json';
  cpSync(join(command, 'dist'), join(folder, 'dist'), { recursive: true, filter });
  copyNativeModules([join(root, 'node_modules/@lmdb'), nativePackages], join(folder, 'dist/native'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenseText(join(command, 'dist/third-party.json')));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  setFileModes(folder);
}

function manifest() {
  const { version, license, description, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { bin } = JSON.parse(readFileSync(join(command, 'package.json'), 'utf8'));
  return {
    name: 'slipway',
    version,
    description,
    keywords: ['kubernetes', 'cluster-api', 'vsphere', 'kvm', 'clusters'],
    license,
    type: 'module',
    engines,
    os: ['linux', 'darwin'],
    bin,
    files: ['bin', 'dist', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES'],
  };
}

/** Packs the package into a tarball in `target` and returns its path. The same content results in the same bytes. */
export function packNpmPackage(target) {
  const folder = join(root, 'dist/npm/slipway');
  stageNpmPackage(folder);
  mkdirSync(target, { recursive: true });
  const args = ['pack', folder, '--pack-destination', target, '--json', '--ignore-scripts', '--offline'];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', cwd: folder }));
  return join(target, filename);
}
