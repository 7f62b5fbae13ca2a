import { Command } from 'commander';
import {
  addVerboseOption,
  dataDirectoryOption,
  type OutputFormat,
  outputOption,
} from '../../options/common-options.js';

export interface ImagePrepareOptions {
  readonly kubernetesVersion: string;
  readonly from: string;
  readonly dataDir: string;
}

export function imageCommand(): Command {
  return new Command('image')
    .summary('Build and manage node images')
    .description(
      'Build and manage node images: the programs and container images of a Kubernetes node, or a VM disk image.',
    )
    .addCommand(imagePrepareCommand())
    .addCommand(imageBuildCommand())
    .addCommand(imagePruneCommand())
    .addCommand(imageListCommand())
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
    .summary('Assemble the files of a node from a local directory')
    .description(
      'Assemble the files of HostMachine nodes from a local directory, without network access: kubelet, ' +
        'kubeadm, containerd, containerd-shim-runc-v2, ctr, runc, the CNI plugins in cni/, and the container images, ' +
        'read from archives in images/ or built from the programs of the same name.',
    )
    .requiredOption('--kubernetes-version <version>', 'Kubernetes version, such as v1.36.3.')
    .requiredOption(
      '--from <directory>',
      'Directory with the files. Files in its subdirectory named after the version take precedence.',
    )
    .addOption(dataDirectoryOption('Data directory of the management plane whose machines use the files.'))
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
    .summary('Build the VM disk image of a node')
    .description(
      'Build the disk image that KVMMachines on this host boot, from Debian packages: kernel, cloud-init, containerd, ' +
        'the QEMU guest agent, and the kubeadm and kubelet given with --file. The build is reproducible: the same ' +
        'packages give the same image.',
    )
    .option(
      '--name <name>',
      'Name of the image, for spec.image.name of machines. Defaults to debian, or tiny with --tiny.',
    )
    .option('--suite <name>', 'Debian suite.', 'bookworm')
    .option('--source <url-or-file>', 'Package repository. Defaults to the apt sources of this host.')
    .option('--package <name>', 'Additional package. Can be repeated.', also, [])
    .option(
      '--file <file:path>',
      'File to add and its path in the image, such as ./kubelet:/usr/bin/kubelet. Can be repeated.',
      also,
      [],
    )
    .option('--disk-size <gibibytes>', 'Disk size of the image in GiB.', '3')
    .option(
      '--source-date-epoch <seconds>',
      'Modification time of all files in the image, in seconds since the epoch.',
      '0',
    )
    .option('--tiny', 'Build a minimal image of a few megabytes. It boots in seconds and cannot run a Kubernetes node.')
    .addOption(dataDirectoryOption('Data directory of the management plane whose machines boot the image.'))
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
    .summary('Remove unused VM disk images')
    .description(
      'Delete the disk images in the image store of this host that have no name and from which no KVMMachine was created. Machines can be ' +
        'created while the command runs.',
    )
    .addOption(dataDirectoryOption('Data directory of the management plane whose images are removed.'))
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

export interface ImageListOptions {
  readonly output?: OutputFormat;
}

function imageListCommand(): Command {
  const command = new Command('list')
    .summary('List the container images that Slipway can deploy')
    .description(
      'List the container images that Slipway can deploy, to mirror them to another registry: its own images for managers, ' +
        'operators and machines in pods, those of the built-in vSphere driver versions, and those of cluster templates. The ' +
        'images of Kubernetes, which kubeadm pulls, are not included. `slipway init list-images` lists the images of one ' +
        'installation. No management cluster is needed.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway image list
  slipway image list -o json`,
    )
    .action(async (options: ImageListOptions) => {
      const { listDeployedImages } = await import('./run.js');
      await listDeployedImages(options);
    });
  return addVerboseOption(command);
}
