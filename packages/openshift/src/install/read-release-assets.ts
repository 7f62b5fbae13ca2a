import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { componentsFiles, ClusterctlError, latestVersion, LocalSource, metadataFile } from '@slipway/clusterctl';
import { platforms } from '../platforms/index.js';
import type { ProviderAssets, ReleaseAssets } from './providers.js';

/**
 * The releases of a folder, laid out as clusterctl's local repositories are: `<label>/<version>/metadata.yaml` with the
 * components beside it. Of several versions the newest counts. A platform whose provider is not there is not served.
 */
export async function readReleaseAssets(folder: string): Promise<ReleaseAssets> {
  const core = await readProvider(folder, 'cluster-api', componentsFiles.CoreProvider);
  if (core === undefined)
    throw new ClusterctlError(`${folder} holds no release of Cluster API`, {
      remedy: `put one into ${join(folder, 'cluster-api', '<version>')}: ${metadataFile} and ${componentsFiles.CoreProvider}`,
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
  throw new ClusterctlError(`the release ${version} of ${label} is not whole`, {
    remedy: `put ${source.describe(version, file)} there`,
  });
}
