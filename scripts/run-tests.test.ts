import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = new URL('run-tests.mjs', import.meta.url).pathname;
const config = new URL('fixtures/run-tests/vitest.config.ts', import.meta.url).pathname;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script on fixtures, without the environment variables that identify a vitest worker. */
function runTests(project: string, ...fixtures: readonly string[]): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name));
  const child = spawn(process.execPath, [script, '--project', project, '--config', config, ...fixtures], {
    env: { ...Object.fromEntries(inherited), RUN_TESTS_FOLDER: folder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Returns the lines that are printed below a title. */
function listed(output: string, title: string): string[] {
  const [, text = ''] = new RegExp(`^${title}.*\\n((?: {2}.+\\n)*)`, 'm').exec(output) ?? [];
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^.*\//, ''))
    .filter((line) => line !== '');
}

describe('scripts/run-tests.mjs', () => {
  it('passes when a file fails and then passes in a fresh process, and lists it as flaky', async () => {
    const { code, output } = await runTests('alone', 'flaky', 'passing');
    expect(code).toBe(0);
    expect(listed(output, 'Flaky')).toEqual(['flaky.fixture.ts (alone)']);
    // The other file ran only once: only the failed file is run again.
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('x');
  });

  it('fails when a file fails twice', async () => {
    const { code, output } = await runTests('alone', 'flaky', 'broken');
    expect(code).toBe(1);
    expect(listed(output, 'Flaky')).toEqual(['flaky.fixture.ts (alone)']);
    expect(listed(output, 'Failed twice')).toEqual(['broken.fixture.ts (alone)']);
  });

  it('does not retry unit tests', async () => {
    const { code, output } = await runTests('unit', 'flaky');
    expect(code).toBe(1);
    expect(listed(output, 'Failed, not run again')).toEqual(['flaky.fixture.ts (unit)']);
  });

  it('attributes an unhandled error to the file in which it occurred', async () => {
    const { code, output } = await runTests('alone', 'unhandled');
    expect(code).toBe(0);
    expect(listed(output, 'Flaky')).toEqual(['unhandled.fixture.ts (alone)']);
  });

  it('fails when no file matches', async () => {
    expect((await runTests('alone', 'nothing-has-this-name')).code).toBe(1);
  });
});
