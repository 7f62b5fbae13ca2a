import { Command } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addExamples,
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
} from '../../options/common-options.js';

export interface LoadImageFlags extends TargetFlags {
  readonly cluster: string;
  readonly output?: OutputFormat;
}

export function loadCommand(): Command {
  return new Command('load')
    .summary('Load container images into the nodes of a cluster')
    .description('Load container images into the nodes of a cluster on this host, without a registry.')
    .addCommand(loadImageCommand());
}

function loadImageCommand(): Command {
  const command = new Command('image')
    .summary('Load image archives into the nodes of a cluster')
    .description(
      'Load archives of container images into every node of a cluster of HostMachines on this host. An archive is a ' +
        'file that `docker save`, `podman save`, `ctr images export` or `npm run release` wrote. Nodes that are created ' +
        'later do not have the images: for those, add the archives to images/ in the directory of `slipway image prepare --from`.',
    )
    .argument('<archive...>', 'Image archives.')
    .requiredOption('--cluster <name>', 'Name of the cluster.')
    .addOption(outputOption())
    .action(async (archives: readonly string[], flags: LoadImageFlags) => {
      const { loadImages } = await import('./run.js');
      await loadImages(archives, flags);
    });
  return addExamples(
    addVerboseOption(addNamespaceOption(addTargetOptions(command))),
    'slipway load image ./my-application.tar --cluster real',
  );
}
