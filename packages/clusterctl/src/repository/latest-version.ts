import { compareBuild, parse, type SemVer } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';
import { currentContract } from './contract.js';
import { metadataFile, newestSeriesFor, parseMetadata, type ReleaseSeries } from './metadata.js';
import type { ReleaseSource } from './release-source.js';

// A release that is being published may be incomplete: try a few older ones.
const candidatesMax = 5;

/**
 * Returns the newest release of the newest series with the current contract. Uses a prerelease only if there is no other release.
 */
export async function latestVersion(source: ReleaseSource, label: string): Promise<string> {
  const versions = (await source.versions()).filter((version) => parse(version) !== null);
  const newest = await newestWithMetadata(source, label, versions);
  const text = await source.read(newest, metadataFile);
  const series = text === undefined ? undefined : newestSeriesFor(parseMetadata(text, label), currentContract);
  if (series === undefined || isOf(series, newest)) return newest;
  return newestWithMetadata(
    source,
    label,
    versions.filter((version) => isOf(series, version)),
  );
}

function isOf({ major, minor }: ReleaseSeries, version: string): boolean {
  const parsed = parse(version);
  return parsed?.major === major && parsed.minor === minor;
}

async function newestWithMetadata(source: ReleaseSource, label: string, versions: readonly string[]): Promise<string> {
  for (const version of [...versions].sort(newestFirst).slice(0, candidatesMax)) {
    if ((await source.read(version, metadataFile)) !== undefined) return version;
  }
  throw new ClusterctlError(`failed to find releases of ${label} tagged with a valid semantic version number`, {
    remedy: `check that the repository contains ${source.describe('<version>', metadataFile)}`,
  });
}

function newestFirst(left: string, right: string): number {
  const preview = (version: string): number => Number((parse(version) as SemVer).prerelease.length > 0);
  // Versions that differ only in build metadata are ordered by it.
  return preview(left) - preview(right) || compareBuild(right, left);
}
