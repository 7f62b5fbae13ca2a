// LMDB is a C library. Its npm package finds the compiled module through node_modules, which neither an installed bundle nor
// a single executable has. In a bundle it is loaded from the folder `native` beside the bundle instead, by platform.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Code that replaces lmdb's own search for the module in the bundle. The musl build is for distributions such as Alpine. */
const loader = `
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const load = createRequire(import.meta.url);
export default function loadNative() {
  const platform = process.platform + '-' + process.arch;
  const candidates = [platform, platform + '-musl'].map((name) => fileURLToPath(new URL('./native/' + name + '.node', import.meta.url)));
  const found = candidates.filter((file) => existsSync(file));
  let reason = 'this installation does not contain it';
  for (const file of found) {
    try {
      return load(file);
    } catch (error) {
      reason = error.message;
    }
  }
  throw new Error('cannot load the storage module for ' + platform + ': ' + reason);
}
`;

/** @type {import('esbuild').Plugin} */
export const nativeModule = {
  name: 'native-module',
  setup(build) {
    build.onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ path }) => ({ path, namespace: 'native' }));
    build.onLoad({ filter: /.*/, namespace: 'native' }, () => ({ contents: loader, loader: 'js' }));
  },
};

export const nativePlatforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];

/** Copies the compiled modules of every platform whose package is in one of the folders. */
export function copyNativeModules(packagesFolders, target) {
  mkdirSync(target, { recursive: true });
  for (const platform of nativePlatforms) {
    const folder = packagesFolders.map((name) => join(name, `lmdb-${platform}`)).find((name) => existsSync(name));
    if (folder === undefined) continue;
    for (const [file, name] of Object.entries(modulesOf(platform)))
      copyFileSync(join(folder, file), join(target, name));
  }
}

/**
 * Returns the modules to copy. Node-API modules run with every version of Node.js, unlike the other modules of the packages,
 * which are for one ABI.
 */
function modulesOf(platform) {
  if (!platform.startsWith('linux')) return { 'node.napi.node': `${platform}.node` };
  const glibc = { 'node.napi.glibc.node': `${platform}.node` };
  // musl is the C library of Alpine. Omitted for arm64, because each module adds a megabyte to the download.
  return platform === 'linux-x64' ? { ...glibc, 'node.napi.musl.node': `${platform}-musl.node` } : glibc;
}
