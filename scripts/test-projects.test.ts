import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

// `npm test` must pass on a host with only Node, npm and git, without root. Tests that need more are in the projects of
// `npm run test:real`.
const nodeProjects = ['unit', 'server', 'system'];
const realProjects = ['real', 'alone'];

/** Programs of every POSIX system, and programs whose tests first check whether they are installed. */
const programsOfNodeTests = ['sh', 'bash', 'tar', 'mkfifo', 'sleep', 'true', 'git', 'openssl', 'prlimit'];

const root = new URL('..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const lines = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8' });

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

/** Test files with their projects, as vitest itself assigns them. */
const listed = (JSON.parse(lines(process.execPath, vitestArguments())) as Listed[]).map(({ file, projectName }) => ({
  file: file.replace(root, ''),
  project: projectName,
}));
const nodeFiles = listed.filter(({ project }) => nodeProjects.includes(project)).map(({ file }) => file);

function vitestArguments(): string[] {
  return [join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json'];
}

/**
 * Returns the test code that a file imports. Code under test is excluded: it may run programs in code paths that no test reaches.
 */
function importsOf(file: string): string[] {
  const imported = [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(file), target)).replace(/\.js$/, '.ts'),
  );
  return imported.filter((path) => !/^packages\/[^/]+\/src\//.test(path) && existsSync(join(root, path)));
}

/** Returns the file and all test code that it reaches through relative imports. */
function testCodeOf(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) for (const imported of importsOf(path)) found.add(imported);
  return [...found];
}

describe('vitest projects', () => {
  it('assigns each test file to exactly one project', () => {
    const tracked = lines('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'])
      .split('\n')
      // The tests of the example run in its own package, by packages/cli/test/outside-provider.test.ts.
      .filter((path) => path !== '' && !path.startsWith('examples/') && existsSync(join(root, path)));
    expect(listed.map(({ file }) => file).sort()).toEqual(tracked.sort());
    expect([...new Set(listed.map(({ project }) => project))].sort()).toEqual(
      [...nodeProjects, ...realProjects].sort(),
    );
  });

  it('imports nothing that starts a real peer or a browser in projects that need only Node', () => {
    const wrong = nodeFiles.flatMap((file) =>
      testCodeOf(file)
        .filter((path) => /^test\/(?!situations\/)/.test(path) || /^import .*'playwright-core'/m.test(read(path)))
        .map((path) => `${file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('runs no program that has to be installed in projects that need only Node', () => {
    const calls = /\b(?:spawn|spawnSync|execFile|execFileSync|execSync|runCommand)\(\s*'([^' ]+)/g;
    const wrong = nodeFiles.flatMap((file) =>
      testCodeOf(file).flatMap((path) =>
        [...read(path).matchAll(calls)]
          .filter(([, program = '']) => !programsOfNodeTests.includes(program))
          .map(([call]) => `${path}: ${call}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});
