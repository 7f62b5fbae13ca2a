import { Command } from 'commander';
import { addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

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

export function imageBuildCommand(): Command {
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
