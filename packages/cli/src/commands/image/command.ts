import { Command } from 'commander';
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
      const { prepareImage } = await import('./run.js');
      await prepareImage(options);
    });
  return addVerboseOption(command);
}

export interface ImageBuildOptions {
  readonly name?: string;
  readonly suite: string;
  readonly source?: string;
  readonly package: readonly string[];
  readonly file: readonly string[];
  readonly diskSize: string;
  readonly sourceDateEpoch: string;
  readonly tiny?: boolean;
  readonly dataDir: string;
}

const also = (value: string, before: readonly string[]): string[] => [...before, value];

function imageBuildCommand(): Command {
  const command = new Command('build')
    .summary('make the disk image of a node')
    .description(
      'Makes the disk image that KVMMachines of this computer boot, from packages of Debian: kernel, cloud-init, ' +
        'containerd, the guest agent, and the kubeadm and kubelet that it is given. The same packages give the same image.',
    )
    .option('--name <name>', 'what machines call it in spec.image.name; else debian, or tiny')
    .option('--suite <name>', 'which Debian', 'bookworm')
    .option('--source <url-or-file>', 'where packages come from; else where apt of this computer gets them')
    .option('--package <name>', 'a further package; may be repeated', also, [])
    .option(
      '--file <file:path>',
      'a file and its path in the image, such as ./kubelet:/usr/bin/kubelet; may be repeated',
      also,
      [],
    )
    .option('--disk-size <gibibytes>', 'the smallest disk that the image fits on', '3')
    .option('--source-date-epoch <seconds>', 'when all files of the image were written', '0')
    .option('--tiny', 'make a guest of a few megabytes instead, which boots in seconds and is no node')
    .addOption(dataDirectoryOption('whose machines are to boot it'))
    .addHelpText(
      'after',
      `
Examples:
  slipway image build --name debian-v1.36.3 \\
    --file ./kubeadm:/usr/bin/kubeadm --file ./kubelet:/usr/bin/kubelet`,
    )
    .action(async (options: ImageBuildOptions) => {
      const { buildImage } = await import('./run.js');
      await buildImage(options);
    });
  return addVerboseOption(command);
}

export interface ImagePruneOptions {
  readonly dataDir: string;
}

function imagePruneCommand(): Command {
  const command = new Command('prune')
    .summary('remove disk images that no machine uses')
    .description(
      'Removes disk images from the store of this computer that no KVMMachine was made from and that have no name. ' +
        'Machines may run, and be made, meanwhile.',
    )
    .addOption(dataDirectoryOption('whose images are to go'))
    .addHelpText(
      'after',
      `
Examples:
  slipway image prune`,
    )
    .action(async (options: ImagePruneOptions) => {
      const { pruneStoredImages } = await import('./run.js');
      await pruneStoredImages(options);
    });
  return addVerboseOption(command);
}
