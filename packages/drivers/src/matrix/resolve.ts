import type { DriverName, Reason } from '../api/index.js';
import { candidatesOf, misfitsOf, nothingFits, type Surroundings } from './compatibility.js';
import type { Matrix, MatrixEntry } from './matrix.js';
import { bareVersion, compareVersions, isInRange } from './version.js';

const updatePolicies = ['latest', 'lts', 'disabled'] as const;
export type UpdatePolicy = (typeof updatePolicies)[number];

export interface VersionQuestion {
  readonly matrix: Matrix;
  readonly driver: DriverName;
  readonly around: Surroundings;
  readonly policy: UpdatePolicy;
  readonly pin?: string | undefined;
  readonly installed?: string | undefined;
  readonly allowIncompatible?: boolean;
  /** Minimum versions that features in use require. */
  readonly floors?: readonly { readonly version: string; readonly because: string }[];
  /** Whether working drivers may be upgraded now. False outside of the maintenance window. */
  readonly mayUpgradeNow?: boolean;
}

export interface Resolution {
  /** The version to install. If absent, no version is compatible and the installed driver is kept. */
  readonly entry?: MatrixEntry;
  /** A newer compatible version that is not installed now. */
  readonly available?: string;
  /** A problem to report, even if a version is running. */
  readonly problem?: { readonly reason: Reason; readonly message: string };
  readonly isDowngrade?: boolean;
}

/** Returns the version to install. It never removes a working driver. */
export function resolveVersion(question: VersionQuestion): Resolution {
  const { matrix, driver, around, pin, installed } = question;
  const entryOf = (version: string | undefined): MatrixEntry | undefined =>
    version === undefined ? undefined : matrix.entries[driver].find((entry) => entry.version === bareVersion(version));
  const current = entryOf(installed);
  const candidates = candidatesOf(matrix, driver, around);
  if (pin !== undefined) return resolvePin(question, entryOf(pin), current);
  const best = preferred(question, candidates);
  if (installed === undefined) return best === undefined ? none(question) : { entry: best };
  if (current?.withdrawn !== undefined)
    return replaceWithdrawn(question, current, candidates, entryOf(current.withdrawn.replacement));
  const stays = current !== undefined && misfitsOf(current, around).length === 0;
  if (stays) return resolveUpgrade(question, current, best);
  return resolveMisfit(question, current, best);
}

function preferred({ policy }: VersionQuestion, candidates: readonly MatrixEntry[]): MatrixEntry | undefined {
  if (policy !== 'lts') return candidates[0];
  return candidates.find(({ channel }) => channel === 'lts') ?? candidates[0];
}

function none({ matrix, driver, around }: VersionQuestion): Resolution {
  const reason = driver === 'csi' ? 'NoCompatibleCSI' : 'NoCompatibleCPI';
  return { problem: { reason, message: nothingFits(matrix, driver, around) } };
}

function resolvePin(
  question: VersionQuestion,
  pinned: MatrixEntry | undefined,
  current: MatrixEntry | undefined,
): Resolution {
  const { driver, pin = '', around, allowIncompatible = false, installed, matrix } = question;
  const name = driver.toUpperCase();
  const keep = current === undefined ? {} : { entry: current };
  if (pinned === undefined) {
    const known = matrix.entries[driver].map(({ version }) => version).sort(compareVersions);
    const message = `pinned ${name} ${pin} is not in matrix ${matrix.revision}; available versions: ${known.join(', ') || 'none'}`;
    return { ...keep, problem: { reason: 'PinnedVersionMissing', message } };
  }
  if (pinned.withdrawn !== undefined && !allowIncompatible) {
    const message = `pinned ${name} ${pin} is withdrawn: ${pinned.withdrawn.reason}${replacementText(pinned)}`;
    return { ...keep, problem: { reason: 'Withdrawn', message } };
  }
  const misfits = misfitsOf(pinned, around).filter((misfit) => !misfit.startsWith('it is withdrawn'));
  if (misfits.length > 0 && !allowIncompatible) {
    const message = `pinned ${name} ${pin} is not compatible: ${misfits.join(', ')}`;
    return { ...keep, problem: { reason: 'PinnedVersionIncompatible', message } };
  }
  if (installed === undefined || compareVersions(pinned.version, installed) === 0) return { entry: pinned };
  const blocked = blockedStep(question, pinned, current);
  return blocked === undefined
    ? { entry: pinned, isDowngrade: compareVersions(pinned.version, installed) < 0 }
    : { ...keep, problem: blocked };
}

function replacementText({ withdrawn }: MatrixEntry): string {
  return withdrawn?.replacement === undefined ? '' : `; it is replaced by ${withdrawn.replacement}`;
}

/** Returns the replacement of a withdrawn version. It applies under every update policy, even if the replacement is older. */
function replaceWithdrawn(
  question: VersionQuestion,
  current: MatrixEntry,
  candidates: readonly MatrixEntry[],
  replacement: MatrixEntry | undefined,
): Resolution {
  const named = candidates.find((entry) => entry === replacement);
  const ordered = [...(named === undefined ? [] : [named]), ...candidates.filter((entry) => entry !== named)];
  const chosen = ordered.find((entry) => blockedStep(question, entry, current) === undefined);
  const name = question.driver.toUpperCase();
  const message = `the installed ${name} ${current.version} is withdrawn: ${current.withdrawn?.reason ?? ''}`;
  if (chosen !== undefined) return { entry: chosen, isDowngrade: compareVersions(chosen.version, current.version) < 0 };
  return {
    entry: current,
    problem: { reason: 'Withdrawn', message: `${message}; no compatible version can replace it` },
  };
}

function resolveUpgrade(question: VersionQuestion, current: MatrixEntry, best: MatrixEntry | undefined): Resolution {
  const { policy, mayUpgradeNow = true } = question;
  if (best === undefined || compareVersions(best.version, current.version) <= 0) return { entry: current };
  // Without an LTS version, the installed version is kept while it is compatible.
  if (policy === 'lts' && best.channel !== 'lts') return { entry: current, available: best.version };
  if (policy === 'disabled' || !mayUpgradeNow) return { entry: current, available: best.version };
  return stepTowards(question, current, best);
}

/** Returns the desired version, or the highest intermediate version if the matrix does not allow the upgrade in one step. */
function stepTowards(question: VersionQuestion, current: MatrixEntry, best: MatrixEntry): Resolution {
  const blocked = blockedStep(question, best, current);
  if (blocked === undefined) return { entry: best };
  const between = candidatesOf(question.matrix, question.driver, question.around).find(
    (entry) =>
      compareVersions(entry.version, current.version) > 0 && blockedStep(question, entry, current) === undefined,
  );
  if (between !== undefined) return { entry: between, available: best.version };
  return { entry: current, available: best.version, problem: blocked };
}

/**
 * Returns the version to install if the installed one is no longer compatible. The CPI follows Kubernetes up and down; CSI is
 * never downgraded automatically.
 */
function resolveMisfit(
  question: VersionQuestion,
  current: MatrixEntry | undefined,
  best: MatrixEntry | undefined,
): Resolution {
  const { driver, installed = '', policy, around, matrix } = question;
  const name = driver.toUpperCase();
  const misfits = current === undefined ? [`it is not in matrix ${matrix.revision}`] : misfitsOf(current, around);
  const message = `the installed ${name} ${installed} is no longer compatible: ${misfits.join(', ')}`;
  const keep = current === undefined ? {} : { entry: current };
  if (best === undefined) {
    const { problem } = none(question);
    return { ...keep, ...(problem && { problem: { ...problem, message: `${message}; ${problem.message}` } }) };
  }
  const problem = { reason: 'UpgradeRequired', message: `${message}; ${best.version} is compatible` } as const;
  if (policy === 'disabled') return { ...keep, available: best.version, problem };
  const isDowngrade = compareVersions(best.version, installed) < 0;
  if (isDowngrade && driver === 'csi') return { ...keep, available: best.version, problem };
  const blocked = blockedStep(question, best, current);
  return blocked === undefined ? { entry: best, isDowngrade } : { ...keep, available: best.version, problem: blocked };
}

/** Returns why a change from the installed version to this one in one step is not allowed. */
function blockedStep(
  { driver, installed, floors = [] }: VersionQuestion,
  target: MatrixEntry,
  current: MatrixEntry | undefined,
): Resolution['problem'] {
  if (installed === undefined) return undefined;
  const name = driver.toUpperCase();
  const step = `${name} cannot be changed from ${installed} to ${target.version}`;
  if (compareVersions(target.version, installed) < 0) {
    const floor = floors.find(({ version }) => compareVersions(target.version, version) < 0);
    if (floor !== undefined) return { reason: 'DowngradeBlocked', message: `${step}: ${floor.because}` };
    const allowed = current?.downgradeTo;
    if (allowed === undefined || isInRange(target.version, allowed)) return undefined;
    return { reason: 'DowngradeBlocked', message: `${step}: the matrix allows downgrades only to ${allowed}` };
  }
  const { upgradeFrom } = target;
  if (upgradeFrom === undefined || isInRange(installed, upgradeFrom)) return undefined;
  return {
    reason: 'UpgradeBlocked',
    message: `${step} in one step: the matrix allows this upgrade only from ${upgradeFrom}`,
  };
}
