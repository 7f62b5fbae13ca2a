import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

// `npm test` has to pass where only Node, npm and git are installed, without root. What needs more is in the projects of
// `npm run test:real`.
const nodeProjects = ['unit', 'server', 'system'];
const realProjects = ['real', 'alone'];

/** Programs of every POSIX system, and of those the ones whose tests check first whether they are installed. */
const programsOfNodeTests = ['sh', 'bash', 'tar', 'mkfifo', 'sleep', 'true', 'git', 'openssl', 'prlimit'];

const root = new URL('..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const lines = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8' });

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

/** As vitest itself assigns them. */
const listed = (JSON.parse(lines(process.execPath, vitestArguments())) as Listed[]).map(({ file, projectName }) => ({
  file: file.replace(root, ''),
  project: projectName,
}));
const nodeFiles = listed.filter(({ project }) => nodeProjects.includes(project)).map(({ file }) => file);

function vitestArguments(): string[] {
  return [join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json'];
}

/** What a file imports of the code of tests. Code under test is left out: it may run programs that no test reaches. */
function importsOf(file: string): string[] {
  const imported = [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(file), target)).replace(/\.js$/, '.ts'),
  );
  return imported.filter((path) => !/^packages\/[^/]+\/src\//.test(path) && existsSync(join(root, path)));
}

/** The file and whatever code of tests it reaches by relative imports. */
function testCodeOf(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) for (const imported of importsOf(path)) found.add(imported);
  return [...found];
}

describe('the projects of vitest', () => {
  it('have each test file exactly once', () => {
    const tracked = lines('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'])
      .split('\n')
      .filter((path) => path !== '' && existsSync(join(root, path)));
    expect(listed.map(({ file }) => file).sort()).toEqual(tracked.sort());
    expect([...new Set(listed.map(({ project }) => project))].sort()).toEqual(
      [...nodeProjects, ...realProjects].sort(),
    );
  });

  it('that need only Node import nothing that starts a real peer or a browser', () => {
    const wrong = nodeFiles.flatMap((file) =>
      testCodeOf(file)
        .filter((path) => /^test\/(?!situations\/)/.test(path) || /^import .*'playwright-core'/m.test(read(path)))
        .map((path) => `${file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('that need only Node run no program which has to be installed', () => {
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
