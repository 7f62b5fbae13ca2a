import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const releaseFolder: string = join(root, 'dist/release');

/** What a release is made from, beside the bundle. */
const folders = ['scripts/release', 'packages/cli/bin'].map((name) => join(root, name));

/** Writes the release if it is older than the bundle. */
export function ensureRelease(): void {
  const sums = join(releaseFolder, 'SHA256SUMS');
  const bundle = join(root, 'packages/cli/dist/slipway.mjs');
  const scripts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const newest = Math.max(...[bundle, ...scripts].map((path) => statSync(path).mtimeMs));
  if (existsSync(sums) && statSync(sums).mtimeMs > newest) return;
  execFileSync(process.execPath, [join(root, 'scripts/release.mjs')], { stdio: 'inherit' });
}

/** Returns the path of the only file of the release with this ending. */
export function releaseFile(pattern: RegExp): string {
  const [name, ...others] = readdirSync(releaseFolder).filter((each) => pattern.test(each));
  if (name === undefined || others.length > 0) throw new Error(`${releaseFolder} has no single file ${pattern}`);
  return join(releaseFolder, name);
}
