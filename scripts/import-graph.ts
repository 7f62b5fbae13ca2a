import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** One import or re-export of a file. Type imports are included, because they also create a dependency. */
export interface ImportStatement {
  readonly specifier: string;
  /** Names as the imported module exports them; `*` means all of them. */
  readonly names: readonly string[];
  readonly reexports: boolean;
}

const root = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(`${root}/${path}`));

/** All TypeScript files of the repository except fixtures, with paths relative to the root. */
export const sources: readonly string[] = tracked.filter(
  (path) => /\.(ts|tsx|mts)$/.test(path) && !/(^|\/)(fixtures|testdata)\//.test(path),
);
const known = new Set(sources);

/** All packages of the repository by directory name. */
export const packageNames: readonly string[] = [
  ...new Set(tracked.flatMap((path) => /^packages\/([^/]+)\/package\.json$/.exec(path)?.[1] ?? [])),
];

const texts = new Map<string, string>();
export function read(path: string): string {
  let text = texts.get(path);
  if (text === undefined) texts.set(path, (text = readFileSync(`${root}/${path}`, 'utf8')));
  return text;
}

const statement = /^(import|export)\s+(?:type\s+)?([^'";=()]*?)\s*from\s+'([^']+)'/gm;
const dynamicImport = /(?:\{([^{}]*)\}\s*=\s*await\s+)?\bimport\(\s*'([^']+)'\s*\)(?:\.(\w+))?/g;
const sideEffect = /^import\s+'([^']+)'/gm;

function namesOf(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1];
  const names = (braces ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+|:/)[0]?.trim() ?? part);
  if (clause.includes('*')) names.push('*');
  return names;
}

const statementsByPath = new Map<string, readonly ImportStatement[]>();

export function importsOf(path: string): readonly ImportStatement[] {
  let found = statementsByPath.get(path);
  if (found === undefined) statementsByPath.set(path, (found = parseImports(read(path))));
  return found;
}

const quotedOrComment = /'[^'\n]*'|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Returns the members that a module uses of a namespace import; `*` if it uses the namespace in another way. */
function membersUsed(text: string, alias: string): string[] {
  const uses = [
    ...text
      .replace(quotedOrComment, '')
      .matchAll(new RegExp(`(?<!\\w)(?<!(?<!\\.)\\.)${alias}\\b(?!:)(?:\\.(\\w+))?`, 'g')),
  ];
  const members = uses.flatMap(([, member]) => member ?? []);
  // The import itself is one of the uses.
  return members.length > 0 && members.length === uses.length - 1 ? [...new Set(members)] : ['*'];
}

/** Returns the imports and re-exports in the text of a module. */
export function parseImports(text: string): readonly ImportStatement[] {
  const found: ImportStatement[] = [];
  for (const [, keyword, clause = '', specifier = ''] of text.matchAll(statement)) {
    const alias = keyword === 'import' ? /\*\s+as\s+(\w+)/.exec(clause)?.[1] : undefined;
    const names = alias === undefined ? namesOf(clause) : membersUsed(text, alias);
    found.push({ specifier, names, reexports: keyword === 'export' });
  }
  for (const [, specifier = ''] of text.matchAll(sideEffect)) found.push({ specifier, names: [], reexports: false });
  for (const [, destructured, specifier = '', member] of text.matchAll(dynamicImport)) {
    const names = destructured === undefined ? [member ?? '*'] : namesOf(`{${destructured}}`);
    found.push({ specifier, names, reexports: false });
  }
  return found;
}

/** Resolves a relative import to a file of the repository. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = join(dirname(from), specifier);
  const candidates = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')];
  return candidates.find((candidate) => known.has(candidate));
}

export const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || !/^packages\/[^/]+\/src\//.test(path);

let importersCache: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function importersByFile(): ReadonlyMap<string, ReadonlySet<string>> {
  if (importersCache !== undefined) return importersCache;
  const importers = new Map<string, Set<string>>();
  for (const path of sources) {
    for (const { specifier } of importsOf(path)) {
      const target = resolveImport(path, specifier);
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  importersCache = importers;
  return importers;
}

/**
 * Returns the files of `src` that belong to the product. A fixture or fake next to the code belongs to the tests if only tests
 * import it: such a file may start a server for a unit test without adding a dependency to the product.
 */
function productFiles(packageName: string): ReadonlySet<string> {
  const importers = importersByFile();
  const product = new Set(sources.filter((path) => path.startsWith(`packages/${packageName}/src/`) && !isTest(path)));
  const onlyTested = (path: string): boolean => {
    const from = [...(importers.get(path) ?? [])];
    return from.length > 0 && folderOf(path) !== undefined && !from.some((importer) => product.has(importer));
  };
  for (let size = -1; size !== product.size; ) {
    size = product.size;
    for (const path of product) if (onlyTested(path)) product.delete(path);
  }
  return product;
}

/** Returns the first-level directory under `src`; undefined for files directly in `src`, such as its index. */
function folderOf(path: string): string | undefined {
  return /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
}

/** For each directory, the directories that it imports, with each import as `file -> file`. */
export type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export function folderGraph(packageName: string): FolderGraph {
  const graph = new Map<string, Map<string, string[]>>();
  for (const path of productFiles(packageName)) {
    const folder = folderOf(path);
    if (folder === undefined) continue;
    const edges = graph.get(folder) ?? new Map<string, string[]>();
    graph.set(folder, edges);
    for (const { specifier } of importsOf(path)) {
      const target = resolveImport(path, specifier);
      const imported = target === undefined || packageOf(target) !== packageName ? undefined : folderOf(target);
      if (target === undefined || imported === undefined || imported === folder) continue;
      const own = `packages/${packageName}/src`;
      edges.set(imported, [...(edges.get(imported) ?? []), `${relative(own, path)} -> ${relative(own, target)}`]);
    }
  }
  return graph;
}

/** Returns groups of directories that import each other, each group sorted by name. */
export function folderCycles(graph: FolderGraph): string[][] {
  const reach = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(graph, folder)]));
  const groups = new Map<string, string[]>();
  for (const [folder, reached] of reach) {
    const group = [...reached].filter((other) => reach.get(other)?.has(folder)).sort();
    if (group.length > 1) groups.set(group.join(), group);
  }
  return [...groups.values()];
}

function reachableFrom(graph: FolderGraph, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of graph.get(folder)?.keys() ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** Returns the imports within a group of directories, for the message of a failing test. */
export function importsWithin(graph: FolderGraph, group: readonly string[]): string[] {
  return group.flatMap((folder) =>
    [...(graph.get(folder) ?? [])].filter(([other]) => group.includes(other)).flatMap(([, imports]) => imports),
  );
}

/** Returns the exports of a package's package.json: specifier → file. */
export function entryPoints(packageName: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(`${root}/packages/${packageName}/package.json`, 'utf8')) as {
    readonly name: string;
    readonly exports?: string | Readonly<Record<string, string>>;
  };
  const declared = typeof manifest.exports === 'string' ? { '.': manifest.exports } : (manifest.exports ?? {});
  return new Map(
    Object.entries(declared).map(([key, file]) => [join(manifest.name, key), join('packages', packageName, file)]),
  );
}

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/gm;
const exportList = /^export\s+(?:type\s+)?\{([^}]*)\}/gm;

/** Returns the names that a file exports, following `export *`. */
export function exportedNames(path: string): string[] {
  const text = read(path);
  const names = [...text.matchAll(declaration)].map(([, name = '']) => name);
  for (const [, list = ''] of text.matchAll(exportList)) {
    for (const part of list.split(',')) {
      const name = part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
        .at(-1);
      if (name !== undefined && name !== '') names.push(name);
    }
  }
  for (const { specifier, names: imported, reexports } of importsOf(path)) {
    const target = reexports && imported.includes('*') ? resolveImport(path, specifier) : undefined;
    if (target !== undefined) names.push(...exportedNames(target));
  }
  return names;
}

/**
 * Returns the names that files outside of a package import by one of its entry points, including members of a namespace import.
 */
export function namesUsedOutside(packageName: string, specifier: string): Set<string> {
  const used = new Set<string>();
  const entryFile = entryPoints(packageName).get(specifier);
  for (const path of sources) {
    if (packageOf(path) === packageName) continue;
    for (const { specifier: imported, names } of importsOf(path)) {
      if (imported !== specifier && resolveImport(path, imported) !== entryFile) continue;
      for (const name of names) if (name !== '*') used.add(name);
      if (names.includes('*')) for (const name of namespaceMembers(read(path), imported)) used.add(name);
    }
  }
  return used;
}

function namespaceMembers(text: string, specifier: string): string[] {
  const aliases = [...text.matchAll(/^import \* as (\w+) from '([^']+)'/gm)].filter(([, , from]) => from === specifier);
  return aliases.flatMap(([, alias = '']) =>
    [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map(([, name = '']) => name),
  );
}
