import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '@slipway/base';
import { labels } from '@slipway/cluster-api';
import { hostMachines, loadImage, MachineNotRunning } from '@slipway/host';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import type { LoadImageFlags } from './command.js';

/** Loads image archives into all nodes of a cluster, one node after the other: each import reads and writes the whole archive. */
export async function loadImages(archives: readonly string[], flags: LoadImageFlags): Promise<void> {
  const files = archives.map((archive) => resolve(archive));
  for (const file of files) await onFile('read', file, () => access(file, constants.R_OK));
  const directory = dataDirectory(flags.dataDir).host;
  await withTarget(flags, async (target, signal) => {
    const machines = await machinesOf(target, flags.cluster, signal);
    for (const { metadata } of machines) {
      for (const archive of files) {
        process.stderr.write(`Loading ${archive} into ${metadata.name ?? ''}\n`);
        await loadImage({ directory, machineId: metadata.uid ?? '', archive, signal }).catch((error: unknown) => {
          throw describeFailure(error, archive, metadata.name ?? '');
        });
      }
    }
    const names = machines.map(({ metadata }) => metadata.name ?? '');
    await printValue({ cluster: flags.cluster, archives: files, machines: names }, flags.output, () =>
      files.map((archive) => `${archive} loaded into ${names.length} nodes of cluster ${flags.cluster}\n`).join(''),
    );
  });
}

async function machinesOf(
  { client, namespace }: Target,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly Frozen<KubeObject>[]> {
  const labelSelector = `${labels.clusterName}=${cluster}`;
  const { items } = await client.list(hostMachines, { namespace, labelSelector, signal });
  if (items.length > 0) return items;
  throw new CliError(`cluster ${cluster} has no HostMachines in namespace ${namespace}`, {
    remedy:
      'list all HostMachines with `slipway get hostmachines -A`; images can be loaded only into clusters of the host provider',
  });
}

function describeFailure(error: unknown, archive: string, machine: string): unknown {
  if (error instanceof MachineNotRunning)
    return new CliError(`HostMachine ${machine} is not running on this host`, {
      remedy:
        'run the command on the host and with the data directory of `slipway up` (--data-dir), once the Node is Ready',
      cause: error,
    });
  if (error instanceof CommandError)
    return new CliError(`${archive} cannot be loaded into HostMachine ${machine}: ${error.output || error.message}`, {
      remedy:
        'run the command as root; the archive must have been written by `docker save`, `podman save` or `ctr images export`',
      cause: error,
    });
  return error;
}
