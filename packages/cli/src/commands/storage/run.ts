import { existsSync } from 'node:fs';
import { rewriteDirectory } from '@slipway/apiserver';
import { silentLogger } from '@slipway/base';
import { CliError, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import { upgradeOptions } from '../../plane/data-upgrade.js';
import { readEncryption } from '../../plane/encryption.js';
import { storeError } from '../../plane/start-errors.js';
import type { RewriteOptions } from './command.js';

/** Writes all objects of a stopped plane again, with the first provider of the configuration. */
export async function rewrite(options: RewriteOptions): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  const encryption = await readEncryption(options.encryptionProviderConfig);
  if (!existsSync(directory.store))
    throw new CliError(`no data found in ${directory.root}`, {
      remedy: 'set --data-dir to the data directory of a management plane',
    });
  const written = await onFile('use', directory.root, async () => {
    try {
      return await rewriteDirectory(directory.store, encryption, upgradeOptions(directory, encryption, silentLogger));
    } catch (error) {
      throw await storeError(directory, error);
    } finally {
      encryption?.dispose();
    }
  });
  await printValue(
    { directory: directory.root, ...written },
    options.output,
    () => `Rewrote ${written.objects} objects at revision ${written.revision} in ${directory.root}\n`,
  );
}
