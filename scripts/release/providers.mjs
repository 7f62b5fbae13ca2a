import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes the providers as a local repository of clusterctl into `target`/providers, and returns its path. Stock clusterctl needs
 * absolute paths; the example configuration takes them from the variable SLIPWAY_RELEASE.
 */
export function writeProviders(target) {
  const folder = join(target, 'providers');
  const args = [join(root, 'packages/cli/bin/slipway.mjs'), 'release', '--out', folder, '-o', 'json'];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const config = join(folder, 'clusterctl.yaml');
  const text = readFileSync(config, 'utf8').replaceAll(`${target}/`, '${SLIPWAY_RELEASE}/');
  writeFileSync(
    config,
    `# SLIPWAY_RELEASE is the absolute path of the directory that contains \`providers\`.\n${text}`,
  );
  return folder;
}
