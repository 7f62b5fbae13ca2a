import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The node files of one Kubernetes version: a directory with `bin`, `cni` and `images`, and this manifest. */
export interface NodeFilesList {
  readonly kubernetesVersion: string;
  /** The sandbox (pause) image. */
  readonly sandboxImage: string;
  readonly images: readonly { readonly file: string; readonly name: string }[];
}

export interface NodeFiles extends NodeFilesList {
  readonly directory: string;
}

export const listName = 'node-files.json';

export class NodeFilesMissing extends Error {
  constructor(version: string) {
    super(
      `the programs and images of Kubernetes ${version} are not prepared: run \`slipway image prepare --kubernetes-version ${version} --from DIR\``,
    );
    this.name = 'NodeFilesMissing';
  }
}

/** The prepared files of a version, with or without the `v` prefix. */
export async function findNodeFiles(folder: string, version: string): Promise<NodeFiles> {
  const name = withV(version);
  const directory = join(folder, name);
  try {
    const list = JSON.parse(await readFile(join(directory, listName), 'utf8')) as NodeFilesList;
    return { ...list, directory };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new NodeFilesMissing(name);
    throw error;
  }
}

export function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`;
}
