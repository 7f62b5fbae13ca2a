// Compiles the library packages with their type declarations into dist/libraries, one directory for all of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestSource } from '../build/newest-source.mjs';
import { libraries } from './library-list.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiled = join(root, 'dist/libraries');
const stamp = join(compiled, 'compiled');

/**
 * Returns the libraries with their entry points: the path in `exports`, the source file, and the compiled files relative to
 * the package.
 */
export function describeLibraries() {
  return libraries.map(({ name, description, exports: chosen }) => {
    const folder = join(root, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const all = typeof manifest.exports === 'string' ? { '.': manifest.exports } : manifest.exports;
    const entryPoints = Object.entries(all)
      .filter(([path]) => chosen === undefined || chosen.includes(path))
      .map(([path, source]) => ({
        path,
        source: join(folder, source),
        code: source.replace(/\.ts$/, '.js'),
        types: source.replace(/\.ts$/, '.d.ts'),
      }));
    return { name, description, manifest, entryPoints, compiled: join(compiled, name) };
  });
}

/** Compiles the libraries, unless the result is newer than every source. Only files that entry points reach are included. */
export function compileLibraries() {
  if (existsSync(stamp) && statSync(stamp).mtimeMs > newestSource(root)) return;
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(compiled, { recursive: true });
  const project = join(compiled, 'tsconfig.json');
  writeFileSync(project, JSON.stringify(compilerProject()));
  const compiler = join(root, 'node_modules/.bin/tsc');
  execFileSync(compiler, ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(stamp, '');
}

function compilerProject() {
  const described = describeLibraries();
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: true,
      rootDir: join(root, 'packages'),
      outDir: compiled,
      typeRoots: [join(root, 'node_modules/@types')],
      // Without these paths, libraries resolve each other through links in node_modules. The compiler does not emit files that
      // it first reaches there, and the order in which it reaches them differs between runs.
      paths: Object.fromEntries(
        described.flatMap(({ name, entryPoints }) =>
          entryPoints.map(({ path, source }) => [`@slipway/${name}${path.slice(1)}`, [source]]),
        ),
      ),
    },
    include: [],
    files: described.flatMap(({ entryPoints }) => entryPoints.map(({ source }) => source)),
  };
}
