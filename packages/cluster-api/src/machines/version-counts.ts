import { compareKubernetesVersions, parseKubernetesVersion } from '../version/index.js';

export interface VersionCount {
  readonly version: string;
  readonly replicas?: number;
}

/** Adds up how many replicas run each version, lowest version first; undefined when no version is known. */
export function sumVersions(counts: Iterable<VersionCount>): { version: string; replicas: number }[] | undefined {
  const sums = new Map<string, number>();
  for (const { version, replicas = 1 } of counts) sums.set(version, (sums.get(version) ?? 0) + replicas);
  const versions = [...sums].map(([version, replicas]) => ({ version, replicas }));
  return versions.length === 0 ? undefined : versions.sort((a, b) => compareTexts(a.version, b.version));
}

function compareTexts(left: string, right: string): number {
  const [a, b] = [parseKubernetesVersion(left), parseKubernetesVersion(right)];
  if (a !== undefined && b !== undefined) return compareKubernetesVersions(a, b);
  // Whatever is no version stands first, so that nobody takes it for the newest.
  if (a !== undefined || b !== undefined) return a === undefined ? -1 : 1;
  return left < right ? -1 : 1;
}
