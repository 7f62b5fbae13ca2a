import { compare, compareBuild, parse } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ProviderConfig } from '../provider/index.js';
import { type InstalledProvider, instanceName } from '../inventory/index.js';
import {
  compatibleContracts,
  openRepository,
  type ReleaseMetadata,
  type RepositoryDependencies,
  seriesOf,
} from '../repository/index.js';

/** The releases of one provider. */
export interface Releases {
  /** All versions, unordered. May contain names that are not valid versions. */
  readonly versions: readonly string[];
  metadata(version: string): Promise<ReleaseMetadata>;
}

/** The available upgrades of an installed provider. */
export interface UpgradeInfo {
  readonly metadata: ReleaseMetadata;
  readonly contract: string;
  /** Versions newer than the installed one, oldest first. */
  readonly newer: readonly string[];
}

export async function readUpgradeInfo(
  provider: InstalledProvider,
  dependencies: RepositoryDependencies,
): Promise<UpgradeInfo> {
  return upgradeInfoOf(
    provider,
    await readReleases(dependencies.config.provider(provider.name, provider.type), dependencies),
  );
}

/** Reads the releases of a repository. */
export async function readReleases(source: ProviderConfig, dependencies: RepositoryDependencies): Promise<Releases> {
  const repository = await openRepository(source, dependencies);
  return { versions: await repository.versions(), metadata: (version) => repository.metadata(version) };
}

async function upgradeInfoOf(provider: InstalledProvider, releases: Releases): Promise<UpgradeInfo> {
  const versions = releases.versions.filter((version) => parse(version) !== null).sort(compareBuild);
  const newest = versions.at(-1);
  if (newest === undefined)
    throw new ClusterctlError(`failed to get available versions for the ${instanceName(provider)} provider`);
  const metadata = await releases.metadata(newest);
  const unmatched = (version: string, which: string): ClusterctlError =>
    new ClusterctlError(
      `invalid provider metadata: version ${version} (${which}) for the provider ${instanceName(provider)} does not match any release series`,
    );
  const series = seriesOf(metadata, provider.version);
  if (series === undefined) throw unmatched(provider.version, 'the current version');
  // Built-in versions differ from upstream's only in build metadata. Switching between them counts as an upgrade.
  const newer = versions.filter((version) => compareBuild(version, provider.version) > 0);
  for (const version of newer)
    if (seriesOf(metadata, version) === undefined) throw unmatched(version, 'one of the available versions');
  return { metadata, contract: series.contract, newer };
}

/** Returns the contract versions of the release series of a version and of all newer series. */
export function contractsFrom({ metadata }: UpgradeInfo, version: string): readonly string[] {
  const current = parse(version);
  const since = metadata.releaseSeries.filter(
    ({ major, minor }) => compare(`${major}.${minor}.0`, `${current?.major ?? 0}.${current?.minor ?? 0}.0`) >= 0,
  );
  return [...new Set(since.map(({ contract }) => contract))].sort();
}

/** Returns the newest release with one of the contract versions. Ignores prereleases. */
export function newestFor({ metadata, newer }: UpgradeInfo, contracts: readonly string[]): string | undefined {
  return newer.findLast((version) => {
    const contract = seriesOf(metadata, version)?.contract;
    return parse(version)?.prerelease.length === 0 && contract !== undefined && contracts.includes(contract);
  });
}

/** Returns the version to upgrade a provider to for a contract version. Undefined if no newer release exists. */
export async function nextVersionAmong(
  releases: Releases,
  provider: InstalledProvider,
  contract: string,
): Promise<string | undefined> {
  return newestFor(await upgradeInfoOf(provider, releases), compatibleContracts(contract));
}
