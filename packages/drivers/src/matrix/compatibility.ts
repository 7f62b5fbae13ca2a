import type { DriverName } from '../api/index.js';
import type { Matrix, MatrixEntry } from './matrix.js';
import { compareVersions, isBelow, isWithin } from './version.js';

/** The environment that a driver must be compatible with. */
export interface Surroundings {
  /** `major.minor` of the API server. */
  readonly kubernetes: string;
  /** The vCenters of the driver. */
  readonly vCenters: readonly { readonly server: string; readonly version: string }[];
  readonly hasCloudProvider: boolean;
}

/** Returns why an entry is not compatible. Empty if it is. A withdrawn entry is never compatible. */
export function misfitsOf(entry: MatrixEntry, { kubernetes, vCenters, hasCloudProvider }: Surroundings): string[] {
  const { kubernetes: k8s, vSphere } = entry;
  const misfits: string[] = [];
  if (!isWithin(kubernetes, k8s)) misfits.push(`Kubernetes ${kubernetes} is not in the range ${rangeText(k8s)}`);
  for (const { server, version } of vCenters)
    if (!isWithin(version, vSphere))
      misfits.push(`vSphere ${version} of ${server} is not in the range ${rangeText(vSphere)}`);
  if (entry.isCPIRequired && !hasCloudProvider) misfits.push('it requires a CPI, but no CPI is configured');
  if (entry.withdrawn !== undefined) misfits.push(`it is withdrawn: ${entry.withdrawn.reason}`);
  return misfits;
}

export function candidatesOf(matrix: Matrix, driver: DriverName, around: Surroundings): MatrixEntry[] {
  return matrix.entries[driver]
    .filter((entry) => misfitsOf(entry, around).length === 0)
    .sort((left, right) => compareVersions(right.version, left.version));
}

/** Returns every entry with its incompatibilities, the best entry first. */
export function explainEntries(matrix: Matrix, driver: DriverName, around: Surroundings): readonly ExplainedEntry[] {
  return matrix.entries[driver]
    .map((entry) => ({ entry, misfits: misfitsOf(entry, around), distance: distanceOf(entry, around) }))
    .sort((left, right) => left.distance - right.distance || compareVersions(right.entry.version, left.entry.version));
}

export interface ExplainedEntry {
  readonly entry: MatrixEntry;
  readonly misfits: readonly string[];
  readonly distance: number;
}

/** Returns the message if no entry is compatible: the closest entry, and the incompatibilities of every entry. */
export function nothingFits(matrix: Matrix, driver: DriverName, around: Surroundings): string {
  const name = driver.toUpperCase();
  const explained = explainEntries(matrix, driver, around);
  const servers = around.vCenters.map(({ server, version }) => `vSphere ${version} (${server})`).join(', ');
  const summary = `no ${name} version is compatible with Kubernetes ${around.kubernetes}${servers === '' ? '' : ` and ${servers}`}`;
  const nearest = explained.find(({ entry }) => entry.withdrawn === undefined)?.entry;
  const hint =
    nearest === undefined
      ? 'all versions in the matrix are withdrawn'
      : `the closest version is ${name} ${nearest.version}, for Kubernetes ${rangeText(nearest.kubernetes)} and vSphere ${rangeText(nearest.vSphere)}`;
  const each = explained.map(({ entry, misfits }) => `${entry.version}: ${misfits.join(', ')}`);
  return [`${summary}; ${hint}`, ...each].join('; ');
}

export function rangeText({ min, max }: { readonly min: string; readonly max: string }): string {
  return min === max ? min : `${min} to ${max}`;
}

/**
 * Returns how far an entry is from being compatible: one Kubernetes minor version weighs as much as one vSphere release, and
 * withdrawn entries are last.
 */
function distanceOf(entry: MatrixEntry, around: Surroundings): number {
  const beyond = (version: string, { min, max }: { readonly min: string; readonly max: string }): number => {
    if (isWithin(version, { min, max })) return 0;
    return minorsBetween(version, isBelow(version, min) ? min : max);
  };
  const servers = around.vCenters.map(({ version }) => beyond(version, entry.vSphere));
  const needsCpi = entry.isCPIRequired && !around.hasCloudProvider ? 1 : 0;
  return (
    beyond(around.kubernetes, entry.kubernetes) +
    Math.max(0, ...servers) +
    needsCpi +
    (entry.withdrawn === undefined ? 0 : 1_000)
  );
}

function minorsBetween(left: string, right: string): number {
  const [one, other] = [left, right].map((text) => {
    const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
    return major * 100 + minor + patch / 100;
  }) as [number, number];
  return Math.abs(one - other);
}
