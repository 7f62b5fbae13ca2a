import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { componentsFiles, ClusterctlError, latestVersion, LocalSource, metadataFile } from '@slipway/clusterctl';
import { platforms } from '../platforms/index.js';
import type { ProviderAssets, ReleaseAssets } from './providers.js';

/**
 * Reads releases from a directory with the layout of a clusterctl local repository: `<label>/<version>/metadata.yaml` and the
 * components file. The newest version is used. Platforms without a provider in the directory are not supported.
 */
export async function readReleaseAssets(folder: string): Promise<ReleaseAssets> {
  const core = await readProvider(folder, 'cluster-api', componentsFiles.CoreProvider);
  if (core === undefined)
    throw new ClusterctlError(`${folder} does not contain a Cluster API release`, {
      remedy: `copy a release to ${join(folder, 'cluster-api', '<version>')}: ${metadataFile} and ${componentsFiles.CoreProvider}`,
    });
  const names = new Set(platforms.map(({ provider }) => provider));
  const infrastructure = new Map<string, ProviderAssets>();
  for (const name of names) {
    const assets = await readProvider(folder, `infrastructure-${name}`, componentsFiles.InfrastructureProvider);
    if (assets !== undefined) infrastructure.set(name, assets);
  }
  return { core, infrastructure };
}

async function readProvider(folder: string, label: string, file: string): Promise<ProviderAssets | undefined> {
  if (!existsSync(join(folder, label))) return undefined;
  const source = new LocalSource(join(folder, label));
  const version = await latestVersion(source, label);
  const [metadata, components] = [await source.read(version, metadataFile), await source.read(version, file)];
  if (metadata !== undefined && components !== undefined) return { version, metadata, components };
  throw new ClusterctlError(`release ${version} of ${label} is incomplete`, {
    remedy: `add ${source.describe(version, file)}`,
  });
}
