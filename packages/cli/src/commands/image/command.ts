import { Command } from 'commander';
import { imageBuildCommand } from './build-command.js';
import { imagePruneCommand } from './prune-command.js';
import { addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

export interface ImagePrepareOptions {
  readonly kubernetesVersion: string;
  readonly from: string;
  readonly dataDir: string;
}

export function imageCommand(): Command {
  return new Command('image')
    .summary('prepare what machines run')
    .description('Prepares what machines run: the programs and container images of a Kubernetes node, or a disk image.')
    .addCommand(imagePrepareCommand())
    .addCommand(imageBuildCommand())
    .addCommand(imagePruneCommand())
    .addHelpText(
      'after',
      `
Examples:
  slipway image prepare --kubernetes-version v1.36.3 --from ./node-programs
  slipway image build --name debian --file ./kubelet:/usr/bin/kubelet`,
    );
}

function imagePrepareCommand(): Command {
  const command = new Command('prepare')
    .summary('assemble the files of a node, without a network')
    .description(
      'Assembles what nodes of HostMachines run, from a directory and nothing else: kubelet, ' +
        'kubeadm, containerd, containerd-shim-runc-v2, ctr, runc, the network plugins in cni/, and ' +
        'the container images, as archives in images/ or else made from the programs of their names.',
    )
    .requiredOption('--kubernetes-version <version>', 'which one, such as v1.36.3')
    .requiredOption('--from <directory>', 'where the files are; those in its subdirectory of the version come first')
    .addOption(dataDirectoryOption('whose machines are to run them'))
    .addHelpText(
      'after',
      `
Examples:
  slipway image prepare --kubernetes-version v1.36.3 --from .peers/bin`,
    )
    .action(async (options: ImagePrepareOptions) => {
      const { prepareImage } = await import('./run-prepare.js');
      await prepareImage(options);
    });
  return addVerboseOption(command);
}
