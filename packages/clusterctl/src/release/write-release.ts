import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { stringifyYaml } from '@slipway/kube';
import { componentsFiles, labelOf, type ProviderConfig } from '../provider/index.js';
import type { BuiltinProvider } from '../repository/index.js';

export interface WrittenRelease {
  /** Relative paths of the written files. */
  readonly files: readonly string[];
  /** The `providers` entry for clusterctl.yaml. */
  readonly providers: readonly ProviderConfig[];
}

/** Writes the files of providers as a local clusterctl repository: `<folder>/<label>/<version>/<file>`. */
export async function writeRelease(folder: string, providers: readonly BuiltinProvider[]): Promise<WrittenRelease> {
  const written: string[] = [];
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    written.push(relative(folder, path));
  };
  const configs: ProviderConfig[] = [];
  for (const provider of providers) {
    const { name, type, version, files } = provider;
    const place = join(folder, labelOf(provider));
    for (const [file, text] of Object.entries(files)) await write(join(place, version, file), await text());
    // List the versions for mirrors behind a web server, which cannot list directories. Versions of earlier releases are kept.
    const folders = (await readdir(place, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    await write(join(place, 'versions.json'), `${JSON.stringify(folders.map((entry) => entry.name).sort())}\n`);
    configs.push({ name, type, url: join(place, 'latest', componentsFiles[type]) });
  }
  await write(join(folder, 'clusterctl.yaml'), stringifyYaml({ providers: configs }));
  return { files: written, providers: configs };
}
