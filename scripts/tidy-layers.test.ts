import { describe, expect, it } from 'vitest';
import {
  entryPoints,
  exportedNames,
  folderCycles,
  folderGraph,
  importsOf,
  importsWithin,
  namesUsedOutside,
  packageOf,
  read,
  resolveImport,
  sources,
} from './import-graph.js';

/** Packages whose folders form layers: no two folders under `src` reach each other, type imports included. */
const layeredPackages = [
  'apiserver',
  'base',
  'cli',
  'dev',
  'host',
  'insight',
  'kube',
  'kubeadm',
  'kvm',
  'plane',
  'provider-kit',
  'simulators',
  'vsphere',
];

/** Packages whose entry points list their exports by name, and export nothing that no other package uses. */
const explicitPackages = ['apiserver', 'base', 'kube', 'plane'];

/** Indexes that are written by a script and hold what their source holds, used or not. */
const generatedIndexes: Readonly<Record<string, string>> = {
  'packages/kube/src/builtin/index.ts': 'the types of built-in kinds, by scripts/generate-builtin-types.mjs',
};

/** Files that tests of other packages may import by a relative path, and why. */
const sharedByPath: Readonly<Record<string, string>> = {
  'packages/apiserver/test/': 'test support that starts a bundled script in a process of its own',
  'packages/cluster-api/test/': 'test support for infrastructure providers',
  'packages/clusterctl/test/': 'test servers for release downloads',
  'packages/plane/test/': 'test support that starts an embedded server',
};

describe('layers', () => {
  it.each(layeredPackages)('%s has no folder cycle, counting type imports', (name) => {
    const graph = folderGraph(name);
    const cycles = folderCycles(graph).map((group) => ({ group, imports: importsWithin(graph, group) }));
    expect(cycles).toEqual([]);
  });

  it('apiserver/src/contract holds types only and imports no other folder', () => {
    const wrong = sources
      .filter((path) => path.startsWith('packages/apiserver/src/contract/'))
      .filter((path) => {
        const values = read(path).match(/^(import|export) (?!type |interface )/m) !== null;
        const outside = importsOf(path).some(({ specifier }) => specifier.startsWith('../'));
        return values || outside;
      });
    expect(wrong).toEqual([]);
  });

  it.each(explicitPackages)('%s lists its exports by name', (name) => {
    const indexes = sources.filter((path) => path.startsWith(`packages/${name}/src/`) && path.endsWith('/index.ts'));
    const wrong = [...new Set([...indexes, ...entryPoints(name).values()])].filter(
      (path) =>
        generatedIndexes[path] === undefined &&
        importsOf(path).some(({ names, reexports }) => reexports && names.includes('*')),
    );
    expect(wrong).toEqual([]);
  });

  it.each(explicitPackages)('%s exports only names that are used outside of it', (name) => {
    const unused = [...entryPoints(name)].flatMap(([specifier, file]) => {
      if (generatedIndexes[file] !== undefined) return [];
      const used = namesUsedOutside(name, specifier);
      return exportedNames(file)
        .filter((exported) => !used.has(exported) && !used.has('*'))
        .map((exported) => `${specifier}: ${exported}`);
    });
    expect(unused).toEqual([]);
  });

  it('imports no file of another package by a relative path', () => {
    const isShared = (target: string): boolean => Object.keys(sharedByPath).some((prefix) => target.startsWith(prefix));
    const wrong = sources.flatMap((path) => {
      const own = packageOf(path);
      const mayShare = /^packages\/[^/]+\/test\//.test(path);
      return importsOf(path)
        .map(({ specifier }) => resolveImport(path, specifier) ?? '')
        .filter((target) => own !== undefined && packageOf(target) !== undefined && packageOf(target) !== own)
        .filter((target) => !mayShare || !isShared(target))
        .map((target) => `${path} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });
});
