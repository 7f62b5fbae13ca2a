import { describe, expect, it } from 'vitest';
import { importsOf, packageNames, packageOf, read, sources } from './import-graph.js';

interface PackageRow {
  readonly name: string;
  readonly isSibling: boolean;
  readonly mayImport: readonly string[];
}

const rowPattern = /^\| `([a-z-]+)`( ‖)? \| [^|]+ \| ([^|]*) \|[^|]*\|$/gm;

/** The packages in the order of the table in docs/design.md, which this test reads. */
const rows: readonly PackageRow[] = [...read('docs/design.md').matchAll(rowPattern)].map(
  ([, name = '', mark, imports = '']) => ({
    name,
    isSibling: mark !== undefined,
    mayImport: [...imports.matchAll(/`([a-z-]+)`/g)].map(([, imported = '']) => imported),
  }),
);

/** Imports of tests beyond their package's row: controllers are tested on a complete management plane. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  'cluster-api': ['plane'],
  kubeadm: ['plane'],
  vsphere: ['apiserver', 'plane', 'kubeadm', 'dev', 'simulators'],
  kvm: ['pki', 'apiserver', 'plane', 'kubeadm', 'dev'],
  host: ['apiserver', 'plane', 'kubeadm', 'dev'],
  drivers: ['apiserver', 'plane'],
  operator: ['apiserver', 'plane', 'kubeadm', 'dev'],
  openshift: ['apiserver', 'plane', 'operator', 'simulators'],
  console: ['pki', 'apiserver', 'plane', 'kubeadm', 'dev'],
  clusterctl: ['pki', 'apiserver', 'plane', 'kubeadm', 'dev'],
};

const isTest = (path: string): boolean => /\.test\.tsx?$|^packages\/[^/]+\/(test|bench)\//.test(path);

const importedPackages = (path: string): readonly string[] =>
  importsOf(path).flatMap(({ specifier }) => /^@slipway\/([a-z-]+)/.exec(specifier)?.[1] ?? []);

/** Returns the other packages that the product files of a package import. */
function importsOfProduct(name: string): ReadonlySet<string> {
  const files = sources.filter((path) => packageOf(path) === name && !isTest(path));
  return new Set(files.flatMap(importedPackages).filter((imported) => imported !== name));
}

/** Returns adjacent rows that are marked as siblings. */
function siblingsOf(index: number): readonly string[] {
  if (rows[index]?.isSibling !== true) return [];
  let first = index;
  while (rows[first - 1]?.isSibling === true) first -= 1;
  let last = index;
  while (rows[last + 1]?.isSibling === true) last += 1;
  return rows.slice(first, last + 1).map(({ name }) => name);
}

describe('the package table of docs/design.md', () => {
  it('has one row per package', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...packageNames].sort());
  });

  it('lists packages in dependency order: a package may import rows above it, and no sibling', () => {
    const wrong = rows.flatMap(({ name, mayImport }, index) => {
      const above = rows.slice(0, index).map((row) => row.name);
      const siblings = siblingsOf(index);
      return mayImport
        .filter((imported) => !above.includes(imported) || siblings.includes(imported))
        .map((imported) => `${name} may not import ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  it.each(rows)('lists the imports of $name', ({ name, mayImport }) => {
    expect([...importsOfProduct(name)].sort()).toEqual([...mayImport].sort());
  });

  it('also applies to tests, with the listed exceptions', () => {
    const wrong = sources.flatMap((path) => {
      const row = rows.find(({ name }) => name === packageOf(path));
      if (row === undefined || !isTest(path)) return [];
      const allowed = [row.name, ...row.mayImport, ...(testsMayImport[row.name] ?? []), 'testing'];
      return importedPackages(path)
        .filter((imported) => !allowed.includes(imported))
        .map((imported) => `${path} imports ${imported}; tests of ${row.name} may import ${allowed.join(', ')}`);
    });
    expect(wrong).toEqual([]);
  });
});
