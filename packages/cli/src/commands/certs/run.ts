import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes, onFile } from '../../errors/index.js';
import { dataDirectory, findInstance } from '../../instance/index.js';
import type { RotateOptions } from './command.js';

/** Certificates come before their keys: a certificate without its key stops the next start. */
const ownFiles = ['apiserver.crt', 'apiserver.key', 'admin.crt', 'admin.key'];
const caFiles = ['ca.crt', 'ca.key'];

/** Removes keys and certificates of a stopped plane, which generates missing ones at its start. */
export async function rotate({ dataDir, ca = false }: RotateOptions): Promise<void> {
  const directory = dataDirectory(dataDir);
  const instance = await findInstance(directory);
  if (instance !== undefined) {
    const where = instance.run === undefined ? '' : `, which serves ${instance.run.endpoint}`;
    throw new CliError(`${directory.root} is in use by process ${instance.pid}${where}`, {
      remedy: 'stop it with `slipway down` first',
      exitCode: exitCodes.inUse,
    });
  }
  if (!existsSync(directory.pki))
    throw new CliError(`no certificates found in ${directory.root}`, {
      remedy: 'set --data-dir to the data directory of a management plane',
    });
  for (const name of [...ownFiles, ...(ca ? caFiles : [])])
    await onFile('remove', join(directory.pki, name), () => rm(join(directory.pki, name), { force: true }));
  process.stdout.write(
    `Removed the certificates of the server and the administrator${ca ? ', and the CA' : ''} in ${directory.pki}.\n` +
      'The next `slipway up` generates new ones and writes the new admin kubeconfig.\n',
  );
}
