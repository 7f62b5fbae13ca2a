import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the modification time of the newest source file of the packages and of the build scripts. */
export function newestSource(root) {
  let newest = Math.max(...['package-lock.json', 'scripts/build.mjs'].map((name) => modified(join(root, name))));
  newest = Math.max(newest, newestIn(join(root, 'scripts/build')), newestIn(join(root, 'examples')));
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name);
    const parts = [newestIn(join(folder, 'src')), newestIn(join(folder, 'templates'))];
    newest = Math.max(newest, modified(join(folder, 'package.json')), ...parts);
  }
  return newest;
}

function newestIn(folder) {
  let newest = modified(folder);
  if (newest === 0) return newest;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : modified(path));
  }
  return newest;
}

/** Returns the modification time of a file, or 0 if there is none. */
export function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
