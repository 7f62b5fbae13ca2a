import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, sources } from './import-graph.js';

// House rules that no linter knows. An exception is a line here with its reason.
const fileLinesMax = 400;
const longFiles: Readonly<Record<string, string>> = {
  'packages/kube/src/apply/apply-configuration.test.ts': 'one table of apply histories',
};

const mechanism = ['base', 'kube', 'apiserver', 'runtime', 'plane'];
const everyProvider = [...mechanism, 'cluster-api', 'provider-kit', 'kubeadm', 'dev', 'vsphere', 'kvm', 'host'];
const everyOperator = ['clusterctl', 'drivers', 'operator', 'openshift'];

/** Which packages each package may import. The order is that of docs/design.md. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  kube: ['base'],
  apiserver: ['base', 'kube'],
  runtime: ['base', 'kube'],
  plane: ['base', 'kube', 'apiserver', 'runtime'],
  'cluster-api': ['base', 'kube', 'runtime'],
  'provider-kit': ['base', 'kube', 'runtime', 'cluster-api'],
  kubeadm: ['base', 'kube', 'runtime', 'cluster-api'],
  dev: ['base', 'kube', 'apiserver', 'runtime', 'plane', 'cluster-api', 'provider-kit', 'kubeadm'],
  vsphere: ['base', 'kube', 'runtime', 'cluster-api', 'provider-kit'],
  kvm: ['base', 'kube', 'runtime', 'cluster-api', 'provider-kit'],
  host: ['base', 'kube', 'runtime', 'cluster-api', 'provider-kit'],
  clusterctl: ['base', 'kube', 'runtime', 'cluster-api', 'kubeadm', 'dev'],
  drivers: ['base', 'kube', 'runtime', 'cluster-api', 'vsphere'],
  operator: ['base', 'kube', 'runtime', 'cluster-api', 'clusterctl'],
  openshift: ['base', 'kube', 'runtime', 'cluster-api', 'clusterctl'],
  insight: ['base', 'kube', 'apiserver', 'runtime', 'plane', 'cluster-api', 'kubeadm', 'dev'],
  console: ['base', 'kube', 'runtime', 'cluster-api', 'insight'],
  simulators: [...everyProvider, ...everyOperator],
  simulation: [...everyProvider, ...everyOperator, 'simulators'],
  cli: [...everyProvider, ...everyOperator, 'insight', 'simulators', 'console'],
};

/** Controllers are tested on a whole management plane, which they know nothing of otherwise. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  'cluster-api': ['plane'],
  kubeadm: ['plane'],
  vsphere: ['apiserver', 'plane', 'kubeadm', 'dev', 'simulators'],
  kvm: ['apiserver', 'plane', 'kubeadm', 'dev'],
  host: ['apiserver', 'plane', 'kubeadm', 'dev'],
  drivers: ['apiserver', 'plane'],
  operator: ['apiserver', 'plane', 'kubeadm', 'dev'],
  openshift: ['apiserver', 'plane', 'operator', 'simulators'],
  console: ['apiserver', 'plane', 'kubeadm', 'dev'],
  clusterctl: ['apiserver', 'plane'],
};

describe('the tree', () => {
  it('imports only in the direction of docs/design.md', () => {
    const wrong: string[] = [];
    for (const path of sources) {
      const own = /^packages\/([^/]+)\//.exec(path)?.[1];
      if (own === undefined) continue;
      const isTest = /\.test\.ts$|^packages\/[^/]+\/test\//.test(path);
      const allowed = [...(mayImport[own] ?? []), ...((isTest && testsMayImport[own]) || [])];
      for (const [, imported = ''] of read(path).matchAll(/from '@slipway\/([a-z-]+)/g)) {
        if (imported !== own && !allowed.includes(imported)) {
          wrong.push(`${path} imports ${imported}; ${own} may import ${allowed.join(', ') || 'nothing'}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('reaches into no package past its entry points', () => {
    // A package may publish further entries beside its index; its package.json names them.
    const entries = new Set([
      '@slipway/kube/builtin',
      '@slipway/kube/kit',
      '@slipway/plane/testing',
      '@slipway/provider-kit/conformance',
      '@slipway/cluster-api/schemas',
      '@slipway/cluster-api/testing',
      // A process of its own, with no use for the rest.
      '@slipway/host/balancer',
    ]);
    const wrong = sources.filter((path) =>
      [...read(path).matchAll(/from '(@slipway\/[a-z-]+\/[^']+)'/g)].some(([, entry = '']) => !entries.has(entry)),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the commands of the cli apart: none imports another, and no shared folder imports one', () => {
    const commandOf = (path: string): string | undefined => /^packages\/cli\/src\/commands\/([^/]+)\//.exec(path)?.[1];
    // These two put the commands together.
    const registry = ['packages/cli/src/commands/index.ts', 'packages/cli/src/program.ts'];
    const wrong = sources
      .filter((path) => path.startsWith('packages/cli/src/') && !registry.includes(path))
      .flatMap((path) =>
        [...read(path).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
          .map(([, specifier = '']) => join(dirname(path), specifier))
          .filter((target) => target.startsWith('packages/cli/src/commands/') && commandOf(target) !== commandOf(path))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it(`keeps files within ${fileLinesMax} lines`, () => {
    const long = sources
      .map((path) => ({ path, lines: read(path).split('\n').length }))
      .filter(({ path, lines }) => lines > fileLinesMax && longFiles[path] === undefined)
      .map(({ path, lines }) => `${path}: ${lines}`);
    expect(long).toEqual([]);
  });

  it('carries no TODO without an issue number, no focused or skipped test', () => {
    const marks = /\b(TODO|FIXME|XXX)\b(?!.*#\d)|\b(it|test|describe)\.(only|skip|todo)\b/;
    const own = 'scripts/tidy.test.ts';
    const wrong = sources.filter(
      (path) =>
        path !== own &&
        read(path)
          .split('\n')
          .some((line) => marks.test(line)),
    );
    expect(wrong).toEqual([]);
  });

  it('takes time only from the clock', () => {
    const allowed = /\/clock\/[a-z-]+\.ts$|\.test\.ts$|\/(test|bench)\/|^(test|scripts)\//;
    const globals = /(?<!\.)\b(Date\.now\(\)|setTimeout\(|setInterval\(|Math\.random\(\)|AbortSignal\.timeout\()/;
    const wrong = sources.filter(
      (path) => path.startsWith('packages/') && !allowed.test(path) && globals.test(read(path)),
    );
    expect(wrong).toEqual([]);
  });

  it('locks the optional packages of every platform', () => {
    // A registry that serves one platform only makes npm forget the others, and then `npm ci` fails everywhere.
    interface Locked {
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    }
    const lock = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          lock.packages[`node_modules/${name}`] === undefined &&
          lock.packages[`${path}/node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).toEqual([]);
  });
});
