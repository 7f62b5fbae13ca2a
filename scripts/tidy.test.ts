import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, sources } from './import-graph.js';

// Project rules that no linter checks. An exception is a line here with its reason.
const fileLinesMax = 400;
const longFiles: Readonly<Record<string, string>> = {
  'packages/kube/src/apply/apply-configuration.test.ts': 'one table of apply histories',
};

describe('the tree', () => {
  it('reaches into no package past its entry points', () => {
    // A package may publish further entries beside its index; its package.json names them.
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
    const allowed = /\/clock\/[a-z-]+\.ts$|\.test\.ts$|\/(test|bench)\/|^(test|scripts|packages\/testing)\//;
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
