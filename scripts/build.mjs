// Bundles the command: one file loads in a fraction of the time that hundreds take, and the quick start's first second is
// spent here. What a command does is a bundle of its own, loaded when it runs, with only what it uses of the packages:
// chunks shared between commands would make `slipway version` load half of the API server.
//
//   node scripts/build.mjs               build
//   node scripts/build.mjs --if-needed   build unless the bundle is newer than every source
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'packages/cli/dist');
const bundle = join(outdir, 'slipway.mjs');

/** The time of the newest file that goes into the bundle. */
function newestSource() {
  let newest = Math.max(...['package-lock.json', 'scripts/build.mjs'].map((name) => modified(join(root, name))));
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

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

if (process.argv.includes('--if-needed') && modified(bundle) > newestSource()) process.exit(0);

/** What these load by `import('../…')` is a bundle of its own: what a command does, and what the providers consist of. */
const lazyFolders = ['commands', 'providers'];

/** The modules that files there load when they run, such as `../up/up.js`: bundle name → source. */
function commandModules() {
  const folders = lazyFolders.map((name) => join(root, 'packages/cli/src', name));
  const modules = {};
  for (const file of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
    const text = readFileSync(file, 'utf8');
    for (const [, path, base] of text.matchAll(/import\('\.\.\/((?:[a-z-]+\/)*([a-z-]+))\.js'\)/g)) {
      modules[base] = `packages/cli/src/${path}.ts`;
    }
  }
  return modules;
}

/** @type {import('esbuild').Plugin} */
const commandsApart = {
  name: 'commands-apart',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^\.\.\/.*\.js$/ }, ({ kind, importer, path }) => {
      if (kind !== 'dynamic-import' || !lazyFolders.includes(basename(dirname(importer)))) return undefined;
      return { path: `./${basename(path, '.js')}.mjs`, external: true };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    slipway: 'packages/cli/src/main.ts',
    'key-thread': 'packages/cli/src/keys/key-thread.ts',
    'plan-thread': 'packages/console/src/plan/plan-thread.ts',
    ...commandModules(),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  plugins: [commandsApart],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Names of functions and classes stay as they are: they are in stack traces and in errors.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  // Native code cannot be bundled: it is loaded from node_modules.
  external: ['lmdb'],
  // CommonJS packages in the bundle call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
// Read at run time: packages/clusterctl/src/builtin/template-files.ts.
cpSync(join(root, 'packages/clusterctl/templates'), join(outdir, 'templates'), { recursive: true });
await buildConsole(join(outdir, 'console'));
