import { describe, expect, it } from 'vitest';
import {
  entryPoints,
  exportedNames,
  folderCycles,
  folderGraph,
  importsOf,
  importsWithin,
  namesUsedOutside,
  packageNames,
  packageOf,
  read,
  resolveImport,
  sources,
} from './import-graph.js';

/** Names that a package offers to code outside of this repository, with the reason. */
const publicSurface: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@slipway/kube/kit': {
    OptionalNode: 'the type of an optional field, which type declarations of kinds in other packages name',
  },
  '@slipway/provider-kit': {
    InfrastructureCluster: "the shape of a provider's cluster kind",
    InfrastructureClusterDefinition: 'the type of the argument of defineInfrastructureCluster',
    InfrastructureMachineTemplate: "the shape of a provider's machine template kind",
    InfrastructureMachineTemplateDefinition: 'the type of the argument of defineInfrastructureMachineTemplate',
  },
  '@slipway/provider-kit/conformance': {
    ConformanceCase: 'a case as providerConformance returns it, for test frameworks other than vitest',
  },
};

/** Generated indexes, which export everything in their source, whether it is used or not. */
const generatedIndexes: Readonly<Record<string, string>> = {
  'packages/kube/src/builtin/index.ts': 'the types of built-in kinds, by scripts/generate-builtin-types.mjs',
};

describe('layers', () => {
  it.each(packageNames)('has no directory cycle in %s, including type imports', (name) => {
    const graph = folderGraph(name);
    const cycles = folderCycles(graph).map((group) => ({ group, imports: importsWithin(graph, group) }));
    expect(cycles).toEqual([]);
  });

  it('has only types and no imports of other directories in apiserver/src/contract', () => {
    const wrong = sources
      .filter((path) => path.startsWith('packages/apiserver/src/contract/'))
      .filter((path) => {
        const values = read(path).match(/^(import|export) (?!type |interface )/m) !== null;
        const outside = importsOf(path).some(({ specifier }) => specifier.startsWith('../'));
        return values || outside;
      });
    expect(wrong).toEqual([]);
  });

  it.each(packageNames)('lists the exports of %s by name', (name) => {
    const indexes = sources.filter((path) => path.startsWith(`packages/${name}/src/`) && path.endsWith('/index.ts'));
    const wrong = [...new Set([...indexes, ...entryPoints(name).values()])].filter(
      (path) =>
        generatedIndexes[path] === undefined &&
        importsOf(path).some(({ names, reexports }) => reexports && names.includes('*')),
    );
    expect(wrong).toEqual([]);
  });

  it.each(packageNames)('exports from %s only names that are used outside of it', (name) => {
    const unused = [...entryPoints(name)].flatMap(([specifier, file]) => {
      if (generatedIndexes[file] !== undefined) return [];
      const used = new Set([...namesUsedOutside(name, specifier), ...Object.keys(publicSurface[specifier] ?? {})]);
      return exportedNames(file)
        .filter((exported) => !used.has(exported))
        .map((exported) => `${specifier}: ${exported}`);
    });
    expect(unused).toEqual([]);
  });

  it('lists only exported names that this repository does not use in the public surface', () => {
    const wrong = packageNames.flatMap((name) =>
      [...entryPoints(name)].flatMap(([specifier, file]) => {
        const used = namesUsedOutside(name, specifier);
        const exported = exportedNames(file);
        return Object.keys(publicSurface[specifier] ?? {})
          .filter((listed) => used.has(listed) || !exported.includes(listed))
          .map((listed) => `${specifier}: ${listed}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('imports no file of another package by a relative path', () => {
    const wrong = sources.flatMap((path) => {
      const own = packageOf(path);
      return importsOf(path)
        .map(({ specifier }) => resolveImport(path, specifier) ?? '')
        .filter((target) => own !== undefined && packageOf(target) !== undefined && packageOf(target) !== own)
        .map((target) => `${path} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });
});
