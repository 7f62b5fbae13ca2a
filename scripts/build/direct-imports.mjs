// Lets a module import the file that defines a name instead of the index that lists it. A bundler puts a module into every
// bundle that reaches it, so an import from an index would bring along everything that the index lists: `slipway version`
// would load the API server for the sake of one constant. Indexes only list names ('export { … } from'), which the tidy
// tests check, so following them changes nothing else.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const listed = /^(import|export) \{([^}]*)\} from '([^']+)';$/gm;

/**
 * Returns the names of values in the braces of an import or export. Types are left out, because they do not exist after
 * compilation.
 */
function valueNames(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [from, as = from] = name.split(' as ');
      return { from, as };
    });
}

/** Finds the file that defines a name, through any number of indexes. */
class Definitions {
  #root;
  #entryPoints = new Map();
  #indexes = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** Returns the source file that an import names, unless it belongs to another project. */
  fileOf(specifier, importer) {
    if (specifier.startsWith('.')) return resolve(dirname(importer), specifier).replace(/\.js$/, '.ts');
    const [, name, path = ''] = /^@slipway\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
    return name === undefined ? undefined : this.#packageEntryPoints(name)[`.${path}`];
  }

  definitionOf(file, name) {
    return (isIndex(file) ? this.#indexOf(file).get(name) : undefined) ?? { file, name };
  }

  #packageEntryPoints(name) {
    let found = this.#entryPoints.get(name);
    if (found === undefined) {
      const folder = join(this.#root, 'packages', name);
      const manifest = join(folder, 'package.json');
      const { exports = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
      const entries = Object.entries(typeof exports === 'string' ? { '.': exports } : exports);
      found = Object.fromEntries(entries.map(([path, file]) => [path, join(folder, file)]));
      this.#entryPoints.set(name, found);
    }
    return found;
  }

  #indexOf(file) {
    let found = this.#indexes.get(file);
    if (found === undefined) {
      found = new Map();
      this.#indexes.set(file, found);
      for (const [, kind, list, specifier] of readFileSync(file, 'utf8').matchAll(listed)) {
        const target = kind === 'export' ? this.fileOf(specifier, file) : undefined;
        if (target === undefined) continue;
        for (const { from, as } of valueNames(list)) found.set(as, this.definitionOf(target, from));
      }
    }
    return found;
  }
}

const isIndex = (file) => file.endsWith('/index.ts');

function pathFrom(importer, file) {
  const path = relative(dirname(importer), file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** @returns {import('esbuild').Plugin} */
export function directImports(root) {
  const definitions = new Definitions(root);
  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path: importer }) => {
        const contents = readFileSync(importer, 'utf8').replace(listed, (statement, kind, list, specifier) => {
          const target = definitions.fileOf(specifier, importer);
          if (target === undefined || !isIndex(target)) return statement;
          const direct = valueNames(list).map(({ from, as }) => {
            const { file, name } = definitions.definitionOf(target, from);
            return `${kind} { ${name} as ${as} } from '${pathFrom(importer, file)}';`;
          });
          // Preserve the number of lines, so that stack traces have the right line numbers.
          return direct.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}
