import { ReconcileError } from '@slipway/runtime';
import type { SemVer } from 'semver';
import { parseKubernetesVersion } from '../../version/index.js';

export function versionOf(text: string, what: string): SemVer {
  const version = parseKubernetesVersion(text);
  if (version !== undefined) return version;
  throw new ReconcileError('InvalidVersion', `failed to parse version ${text} of ${what}`, {
    retry: 'onChange',
    remedy: 'use the form v1.36.0',
  });
}

export type VersionOrder = 'older' | 'equal' | 'newer' | 'unordered';

/**
 * Compares versions. Versions that differ only in build metadata are unordered: semver defines no order for it, but distributions
 * use it for different releases.
 */
export function versionOrder(left: SemVer, right: SemVer): VersionOrder {
  const order = left.compare(right);
  if (order !== 0) return order < 0 ? 'older' : 'newer';
  return left.build.join('.') === right.build.join('.') ? 'equal' : 'unordered';
}

/** Returns the version as text, including build metadata. */
export function versionText(version: SemVer): string {
  return version.build.length === 0 ? `v${version.version}` : `v${version.version}+${version.build.join('.')}`;
}
