import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, sources } from './import-graph.js';

// Project rules that no linter checks. Exceptions are listed here with their reason.
const fileLinesMax = 400;
const longFiles: Readonly<Record<string, string>> = {
  'packages/kube/src/apply/apply-configuration.test.ts': 'one table of apply histories',
};

describe('source tree', () => {
  it('imports packages only through their entry points', () => {
    // A package may have further entry points next to its index; its package.json lists them.
    const entries = new Set([
      '@slipway/kube/builtin',
      '@slipway/kube/kit',
      '@slipway/provider-kit/conformance',
      '@slipway/cluster-api/schemas',
      '@slipway/testing/kinds',
      '@slipway/testing/plane',
      '@slipway/testing/process',
      '@slipway/testing/provider',
      '@slipway/testing/servers',
      // Runs in a separate process that needs nothing else of the package.
      '@slipway/host/balancer',
    ]);
    const wrong = sources.filter((path) =>
      [...read(path).matchAll(/from '(@slipway\/[a-z-]+\/[^']+)'/g)].some(([, entry = '']) => !entries.has(entry)),
    );
    expect(wrong).toEqual([]);
  });

  it('has no imports between commands of the cli, or from shared directories to commands', () => {
    const commandOf = (path: string): string | undefined => /^packages\/cli\/src\/commands\/([^/]+)\//.exec(path)?.[1];
    // These two files import the modules of all commands.
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

  it(`limits files to ${fileLinesMax} lines`, () => {
    const long = sources
      .map((path) => ({ path, lines: read(path).split('\n').length }))
      .filter(({ path, lines }) => lines > fileLinesMax && longFiles[path] === undefined)
      .map(({ path, lines }) => `${path}: ${lines}`);
    expect(long).toEqual([]);
  });

  it('contains no TODO without an issue number, and no focused or skipped test', () => {
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

  it('reads time only from the clock', () => {
    const allowed = /\/clock\/[a-z-]+\.ts$|\.test\.ts$|\/(test|bench)\/|^(test|scripts|packages\/testing)\//;
    const globals = /(?<!\.)\b(Date\.now\(\)|setTimeout\(|setInterval\(|Math\.random\(\)|AbortSignal\.timeout\()/;
    const wrong = sources.filter(
      (path) => path.startsWith('packages/') && !allowed.test(path) && globals.test(read(path)),
    );
    expect(wrong).toEqual([]);
  });

  it('locks the optional packages of every platform', () => {
    // A registry that serves only one platform makes npm drop the others from the lock file. `npm ci` then fails on other
    // platforms.
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
