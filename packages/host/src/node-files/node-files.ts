import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The manifest in the directory of one Kubernetes version, which also contains `bin`, `cni` and `images`. */
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

/** Returns the prepared files of a version. The `v` prefix is optional. */
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
