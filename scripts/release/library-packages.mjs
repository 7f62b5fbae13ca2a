// Packs the libraries `@slipway/<name>`: compiled ES modules with type declarations, without tests.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileLibraries, describeLibraries } from './compile-libraries.mjs';
import { setFileModes } from './file-modes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Packs every library into a tarball in `target` and returns their paths. The same content results in the same bytes. */
export function packLibraries(target) {
  compileLibraries();
  const staged = join(root, 'dist/npm/@slipway');
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const folders = describeLibraries().map((library) => stage(library, join(staged, library.name)));
  const args = ['pack', ...folders, '--pack-destination', target, '--json', '--ignore-scripts', '--offline'];
  const packed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', cwd: staged }));
  return packed.map(({ filename }) => join(target, filename.replace(/^@/, '').replace('/', '-')));
}

function stage(library, folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(library.compiled, 'src'), join(folder, 'src'), { recursive: true });
  convertJson(folder);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'README.md'), readme(library));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(library, folder), undefined, 2)}\n`);
  setFileModes(folder);
  return folder;
}

/** Converts JSON files to modules: importing JSON is experimental in Node.js 20, which prints a warning. */
function convertJson(folder) {
  for (const file of filesOf(folder)) {
    const path = join(folder, file);
    if (file.endsWith('.json')) {
      const data = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      writeFileSync(`${path}.js`, `export default JSON.parse(${JSON.stringify(data)});\n`);
      rmSync(path);
    } else if (file.endsWith('.js')) {
      const text = readFileSync(path, 'utf8');
      const converted = text.replace(/from '([^']+\.json)' with \{ type: 'json' \}/g, "from '$1.js'");
      if (converted !== text) writeFileSync(path, converted);
    }
  }
}

function manifestOf({ name, description, entryPoints, manifest }, folder) {
  const exports = entryPoints.map(({ path, code, types }) => [path, { types, default: code }]);
  return {
    name: `@slipway/${name}`,
    version,
    description,
    keywords: ['kubernetes', 'cluster-api', 'slipway'],
    license: manifest.license,
    type: 'module',
    sideEffects: manifest.sideEffects ?? true,
    engines,
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    files: ['src'],
    dependencies: dependenciesOf(manifest, folder),
  };
}

/** Returns the packages that the compiled files import, each with the exact version of package-lock.json. */
function dependenciesOf({ name, dependencies }, folder) {
  const imported = importsOf(folder, '.js');
  const typed = importsOf(folder, '.d.ts');
  const versions = {};
  for (const each of [...new Set([...imported, ...typed])].sort((a, b) => (a < b ? -1 : 1))) {
    if (each === name) continue;
    if (dependencies[each] === undefined)
      throw new Error(`${name} imports ${each}, which its package.json does not list`);
    versions[each] = each.startsWith('@slipway/') ? version : locked[`node_modules/${each}`].version;
    // Declarations that refer to a package without types need those of @types.
    const types = `@types/${each}`;
    const lockedTypes = locked[`node_modules/${types}`];
    if (typed.has(each) && lockedTypes !== undefined) versions[types] = lockedTypes.version;
  }
  return versions;
}

const importPattern = /^(?:(?:import|export|\}).*? from|import) '([^']+)'|\bimport\(['"]([^'"]+)['"]\)/gm;

function importsOf(folder, extension) {
  const names = new Set();
  for (const file of filesOf(folder)) {
    if (!file.endsWith(extension)) continue;
    for (const [, plain, dynamic] of readFileSync(join(folder, file), 'utf8').matchAll(importPattern)) {
      const specifier = plain ?? dynamic;
      const [, packageName] = /^((?:@[^/]+\/)?[^./@:][^/:]*)(?:\/|$)/.exec(specifier) ?? [];
      if (packageName !== undefined && !isBuiltin(packageName)) names.add(packageName);
    }
  }
  return names;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

function readme({ name, description, entryPoints }) {
  const list = entryPoints.map(({ path }) => `- \`@slipway/${name}${path.slice(1)}\`\n`).join('');
  return `# @slipway/${name}

${description}

Part of Slipway, which is Cluster API in TypeScript. All \`@slipway/*\` packages of a release have the same version and depend on
exactly that version of each other. Entry points:

${list}`;
}
