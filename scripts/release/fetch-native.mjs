// Downloads the compiled storage modules of other platforms into a cache: `npm ci` installs only those of this host.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePlatforms } from '../build/native-module.mjs';

/** Downloads the packages that are missing in `cache`. */
export function fetchNativeModules(root, cache) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const platform of nativePlatforms) {
    const name = `lmdb-${platform}`;
    const { version, integrity } = packages[`node_modules/@lmdb/${name}`];
    const manifest = join(cache, name, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) continue;
    fetchPackage(`@lmdb/${name}@${version}`, integrity, join(cache, name));
  }
}

/** Downloads and unpacks a package, and verifies its checksum from package-lock.json. */
function fetchPackage(name, integrity, folder) {
  const download = mkdtempSync(join(tmpdir(), 'slipway-native-'));
  try {
    const args = ['pack', name, '--pack-destination', download, '--json'];
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }));
    const tarball = join(download, filename);
    const checksum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (checksum !== integrity) throw new Error(`${name} is ${checksum}, but package-lock.json expects ${integrity}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}
