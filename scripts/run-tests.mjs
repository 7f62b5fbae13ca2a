// Runs vitest, and runs each failed file of the projects with real processes once more in a fresh process. One flaky file
// among hundreds must not cost a whole run, and must not be overlooked either: the files that passed the second time are
// listed at the end. Unit and server tests are never run again: when one of them fails, so does the run.
//
//   node scripts/run-tests.mjs --project unit --project server [--config file] [filter …]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reportVariable } from './failed-files-reporter.mjs';

/** Projects whose tests depend on the load of the host, because they run real processes. */
const projectsRunAgain = ['system', 'real', 'alone'];

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('failed-files-reporter.mjs', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { project: { type: 'string', multiple: true, default: [] }, config: { type: 'string' } },
});
const options = values.config === undefined ? [] : ['--config', values.config];
const folder = mkdtempSync(join(tmpdir(), 'slipway-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs vitest until it exits. A missing report means that vitest crashed. */
async function run(projects, filters) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['run', '--reporter=default', `--reporter=${reporter}`, ...options];
  const child = spawn(
    process.execPath,
    [vitest, ...args, ...projects.map((project) => `--project=${project}`), ...filters],
    { stdio: 'inherit', env: { ...process.env, [reportVariable]: report } },
  );
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, ...(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}) };
}

/** Returns the failures that must not be retried. */
function lastingFailures({ reason, files = [], errors = [] }) {
  const notRetried = files.filter(({ project }) => !projectsRunAgain.includes(project));
  return [
    ...(reason === undefined || reason === 'interrupted' ? ['vitest exited before all tests had run'] : []),
    ...(files.length === 0 && errors.length === 0 ? ['vitest failed without a failed file'] : []),
    ...errors.map((message) => `error outside of any test file: ${message}`),
    ...notRetried.map(nameOf),
  ];
}

const nameOf = ({ file, project }) => `${relative(process.cwd(), file)} (${project})`;
const list = (title, lines) => console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`);

async function main() {
  const first = await run(values.project, positionals);
  if (first.code === 0) return 0;
  const lasting = lastingFailures(first);
  if (lasting.length > 0) {
    list('Failed, not run again:', lasting);
    return first.code;
  }
  list('Running once more in a fresh process:', first.files.map(nameOf));
  const flaky = [];
  const broken = [];
  for (const failed of first.files) {
    const { code } = await run([failed.project], [failed.file]);
    (code === 0 ? flaky : broken).push(nameOf(failed));
  }
  if (flaky.length > 0) list('Flaky: failed, then passed in a fresh process. Fix the cause in the next change:', flaky);
  if (broken.length > 0) list('Failed twice:', broken);
  return broken.length === 0 ? 0 : 1;
}

process.exitCode = await main();
