// Writes packages/<name>/api.md, the API report of each library. A change of the public surface is reviewed there.
// npm run api-reports              write them
// npm run api-reports -- --check   only compare them, and fail if one is stale
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReport } from './release/api-report.mjs';
import { compileLibraries, describeLibraries } from './release/compile-libraries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const isCheck = process.argv.includes('--check');

compileLibraries();
for (const library of describeLibraries()) {
  const file = join('packages', library.name, 'api.md');
  const path = join(root, file);
  const report = apiReport(library);
  if (existsSync(path) && readFileSync(path, 'utf8') === report) continue;
  if (isCheck) process.exitCode = 1;
  else writeFileSync(path, report);
  console.log(isCheck ? `${file} is stale: run \`npm run api-reports\` and review the change` : `${file} written`);
}
