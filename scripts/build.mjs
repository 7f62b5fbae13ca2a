// Bundles the command: one file loads in a fraction of the time that hundreds take, and the quick start's first second is
// spent here. What a command does is a bundle of its own, loaded when it runs, with only what it uses of the packages:
// chunks shared between commands would make `slipway version` load half of the API server.
//
//   node scripts/build.mjs               build
//   node scripts/build.mjs --if-needed   build unless the bundle is newer than every source
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const commandsFolder = 'packages/cli/src/commands';
/** The components of the built-in providers: they take every kind and every controller, and few commands print them. */
const providerComponents = 'packages/cli/src/providers/components-text.ts';

/** The modules that are loaded when they are needed, by the name of their bundle. `run-status.ts` of drivers: drivers-status. */
function lazyModules() {
  const modules = { 'components-text': providerComponents };
  for (const command of readdirSync(join(root, commandsFolder), { withFileTypes: true })) {
    if (!command.isDirectory()) continue;
    for (const file of readdirSync(join(root, commandsFolder, command.name))) {
      const [, part] = /^run((?:-[a-z]+)*)\.ts$/.exec(file) ?? [];
      if (part !== undefined) modules[command.name + part] = `${commandsFolder}/${command.name}/${file}`;
    }
  }
  return modules;
}

const bundleNames = new Map(Object.entries(lazyModules()).map(([name, source]) => [join(root, source), name]));

/** @type {import('esbuild').Plugin} */
const bundlesApart = {
  name: 'bundles-apart',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ kind, importer, path }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = bundleNames.get(join(dirname(importer), path).replace(/\.js$/, '.ts'));
      return name === undefined ? undefined : { path: `./${name}.mjs`, external: true };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    slipway: 'packages/cli/src/main.ts',
    'key-thread': 'packages/cli/src/plane/key-thread.ts',
    'plan-thread': 'packages/console/src/plan/plan-thread.ts',
    ...lazyModules(),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  plugins: [bundlesApart],
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
