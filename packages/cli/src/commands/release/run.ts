import { join, resolve } from 'node:path';
import { writeRelease } from '@slipway/clusterctl';
import { onFile } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { availableProviders } from '../../providers/builtin-providers.js';
import type { ReleaseFlags } from './command.js';

/** Writes the built-in providers as a clusterctl repository. */
export async function release(flags: ReleaseFlags): Promise<void> {
  const folder = resolve(flags.out);
  const { files, providers } = await onFile('write', folder, () => writeRelease(folder, availableProviders()));
  await printValue(
    { folder, files, providers },
    flags.output,
    () => `${files.map((file) => `  ${file}\n`).join('')}
Written to ${folder}. To use them with upstream clusterctl:

  clusterctl --config ${join(folder, 'clusterctl.yaml')} config repositories

`,
  );
}
