import { compareKubernetesVersions, parseKubernetesVersion } from './kubernetes-version.js';

export interface VersionCount {
  readonly version: string;
  readonly replicas?: number;
}

/** Sums the replicas of each version, lowest version first. Undefined if no version is known. */
export function sumVersions(counts: Iterable<VersionCount>): { version: string; replicas: number }[] | undefined {
  const sums = new Map<string, number>();
  for (const { version, replicas = 1 } of counts) sums.set(version, (sums.get(version) ?? 0) + replicas);
  const versions = [...sums].map(([version, replicas]) => ({ version, replicas }));
  return versions.length === 0 ? undefined : versions.sort((a, b) => compareTexts(a.version, b.version));
}

function compareTexts(left: string, right: string): number {
  const [a, b] = [parseKubernetesVersion(left), parseKubernetesVersion(right)];
  if (a !== undefined && b !== undefined) return compareKubernetesVersions(a, b);
  // Invalid versions sort first, so that an invalid version is never the newest.
  if (a !== undefined || b !== undefined) return a === undefined ? -1 : 1;
  return left < right ? -1 : 1;
}
