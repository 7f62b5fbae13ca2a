import { describe, expect, it } from 'vitest';
import { type FolderGraph, folderCycles, importsWithin, parseImports } from './import-graph.js';

const graphOf = (edges: Readonly<Record<string, readonly string[]>>): FolderGraph =>
  new Map(
    Object.entries(edges).map(([folder, targets]) => [
      folder,
      new Map(targets.map((target) => [target, [`${folder}/a.ts -> ${target}/b.ts`]])),
    ]),
  );

describe('import graph', () => {
  it('finds values, types, re-exports and dynamic imports by the exported name', () => {
    const text = [
      `import { a, type B, c as d } from './one.js';`,
      `import type { E } from './two.js';`,
      `import * as all from './three.js';`,
      `export { f as g } from './four.js';`,
      `export type * from './five.js';`,
      `import {\n  h,\n  i,\n} from './six.js';`,
      `import './seven.js';`,
      `  const { j, k: l } = await import('./eight.js');`,
      `const m: import('./nine.js').N = value;`,
    ].join('\n');
    expect(parseImports(text)).toEqual([
      { specifier: './one.js', names: ['a', 'B', 'c'], reexports: false },
      { specifier: './two.js', names: ['E'], reexports: false },
      { specifier: './three.js', names: ['*'], reexports: false },
      { specifier: './four.js', names: ['f'], reexports: true },
      { specifier: './five.js', names: ['*'], reexports: true },
      { specifier: './six.js', names: ['h', 'i'], reexports: false },
      { specifier: './seven.js', names: [], reexports: false },
      { specifier: './eight.js', names: ['j', 'k'], reexports: false },
      { specifier: './nine.js', names: ['N'], reexports: false },
    ]);
  });

  it('finds the members that a module reads of a namespace import, or all if it passes the namespace on', () => {
    expect(parseImports(`import * as all from './one.js';\nconst a: all.A = all.b(other.all);`)).toEqual([
      { specifier: './one.js', names: ['A', 'b'], reexports: false },
    ]);
    expect(parseImports(`import * as all from './one.js';\nuse(all, all.b);`)).toEqual([
      { specifier: './one.js', names: ['*'], reexports: false },
    ]);
  });

  it('groups the directories that import each other and names the imports between them', () => {
    const graph = graphOf({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a'] });
    expect(folderCycles(graph)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
    expect(importsWithin(graph, ['d', 'e'])).toEqual(['d/a.ts -> e/b.ts', 'e/a.ts -> d/b.ts']);
  });

  it('finds no cycle if all imports have the same direction', () => {
    expect(folderCycles(graphOf({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([]);
  });
});
