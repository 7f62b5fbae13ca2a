// Bundles the command: a few files load in a fraction of the time that hundreds take, and the quick start's first second is
// spent here. What a command does is an entry point of its own, loaded when it runs; what several share is in chunks.
//
//   node scripts/build.mjs               build
//   node scripts/build.mjs --if-needed   build unless the bundle is newer than every source
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { directImports } from './build/direct-imports.mjs';
import { copyNativeModules, nativeModule } from './build/native-module.mjs';
import { modified, newestSource } from './build/newest-source.mjs';
import { scaffoldFiles } from './build/scaffold.mjs';
import { bundledPackages } from './build/third-party.mjs';
import { buildConsole } from './build-console.mjs';
import { describeLibraries } from './release/compile-libraries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'packages/cli/dist');
const bundle = join(outdir, 'slipway.mjs');

if (process.argv.includes('--if-needed') && modified(bundle) > newestSource(root)) process.exit(0);

/** Start of the build. Its duration is written to standard error, because commands write their results to standard output. */
const startedAt = performance.now();
function report(text) {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`build: ${text} (${seconds} s)\n`);
}

const commandsFolder = 'packages/cli/src/commands';
/**
 * Manifests of the built-in providers. They are a separate bundle: they import every kind and every controller, and few commands
 * print them.
 */
const providerComponents = 'packages/cli/src/providers/components-text.ts';

/** Returns the modules that are loaded on demand, by the name of their bundle: `run-status.ts` of drivers is drivers-status. */
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

/**
 * Returns the libraries that plugins import, by the name of their file in `libraries`. They share their code with the commands:
 * a plugin and the program must use the same copy.
 */
function pluginLibraries() {
  const entries = describeLibraries()
    .filter(({ name }) => name !== 'testing')
    .flatMap(({ name, entryPoints }) =>
      entryPoints.map(({ path, source }) => [`libraries/${name}${path.slice(1).replace('/', '.')}`, source]),
    );
  return Object.fromEntries(entries);
}

const modules = lazyModules();
report(`bundling ${Object.keys(modules).length} commands`);
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    slipway: 'packages/cli/src/main.ts',
    'key-thread': 'packages/cli/src/plane/key-thread.ts',
    'yaml-thread': 'packages/cli/src/plane/yaml-thread.ts',
    'plan-thread': 'packages/console/src/plan/plan-thread.ts',
    'plugin-hooks': 'packages/cli/src/plugins/plugin-hooks.ts',
    ...modules,
    ...pluginLibraries(),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  plugins: [directImports(root), nativeModule],
  bundle: true,
  splitting: true,
  // Chunks are in the same directory as the entry points: modules find other files of the bundle relative to their own
  // URL.
  chunkNames: 'chunk-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Names of functions and classes are kept, because they appear in stack traces and errors.
  minifySyntax: true,
  minifyWhitespace: true,
  // Stack traces refer to source files and lines; the sources themselves are not included.
  sourcemap: true,
  sourcesContent: false,
  // An optional accelerator of msgpackr, which is not bundled.
  external: ['msgpackr-extract'],
  // CommonJS packages in the bundle call require for Node's built-in modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  metafile: true,
});
// Read by the release scripts, which list licenses and write the bill of materials.
writeFileSync(join(outdir, 'third-party.json'), JSON.stringify(bundledPackages(root, metafile), undefined, 2));
// Templates are read at run time: see packages/clusterctl/src/builtin/template-files.ts.
cpSync(join(root, 'packages/clusterctl/templates'), join(outdir, 'templates'), { recursive: true });
writeFileSync(join(outdir, 'scaffold.json'), JSON.stringify(scaffoldFiles(root), undefined, 1));
copyNativeModules([join(root, 'node_modules/@lmdb')], join(outdir, 'native'));
report('building the web console');
await buildConsole(join(outdir, 'console'));
report('done');
