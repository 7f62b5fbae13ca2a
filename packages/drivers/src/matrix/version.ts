import { compare, satisfies, validRange } from 'semver';

/** Compares driver versions as semantic versions: 2.10.0 is newer than 2.9.0. */
export function compareVersions(left: string, right: string): number {
  return compare(bareVersion(left), bareVersion(right));
}

export function bareVersion(version: string): string {
  return version.replace(/^v/, '');
}

export function isInRange(version: string, range: string): boolean {
  return satisfies(bareVersion(version), range, { includePrerelease: true });
}

export function isRange(range: string): boolean {
  return validRange(range) !== null;
}

/** Returns `major.minor` of a `/version` response. Some distributions report a minor version such as `27+`. */
export function kubernetesMinor(major: string, minor: string): string {
  return `${major.replace(/\D.*$/, '')}.${minor.replace(/\D.*$/, '')}`;
}

const dottedPattern = /^\d+(\.\d+){1,3}$/;

export function isDotted(text: string): boolean {
  return dottedPattern.test(text);
}

function partsOf(text: string): number[] {
  return text
    .split('.')
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0);
}

/** Compares by as many parts as `bound` has: 8.0.3 is not above 8.0, and 6.7.3 is not below 6.7. */
function compareToBound(version: string, bound: string): number {
  const own = partsOf(version);
  for (const [place, part] of partsOf(bound).entries()) {
    const difference = (own[place] ?? 0) - part;
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

export interface VersionRange {
  readonly min: string;
  readonly max: string;
}

export function isWithin(version: string, { min, max }: VersionRange): boolean {
  return compareToBound(version, min) >= 0 && compareToBound(version, max) <= 0;
}

export function isBelow(version: string, bound: string): boolean {
  return compareToBound(version, bound) < 0;
}

/**
 * Returns the version of a vCenter. 6.7 U3 reports version 6.7.0 and apiVersion 6.7.3, and for some patches version is the more
 * precise field: the more precise one is used.
 */
export function vsphereVersion(about: { readonly version: string; readonly apiVersion: string }): string {
  const [version, api] = [about.version, about.apiVersion].map(partsOf) as [number[], number[]];
  const isSameLine = version[0] === api[0] && version[1] === api[1];
  const patch = isSameLine ? Math.max(version[2] ?? 0, api[2] ?? 0) : (api[2] ?? 0);
  return [api[0] ?? 0, api[1] ?? 0, patch].join('.');
}
