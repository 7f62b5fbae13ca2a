import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Writes the Helm chart into `target` and returns its path. */
export function packChart(target) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(target, `slipway-chart-${version}.tgz`);
  // Named so that it does not replace the npm package, which has the same name and version.
  const script = join(root, 'scripts/release/chart/write-chart.ts');
  execFileSync(process.execPath, ['--import', 'tsx', script, file], { cwd: root, stdio: 'inherit' });
  return file;
}
