import { ReconcileError } from '@slipway/runtime';
import type { SemVer } from 'semver';
import { specVersionOf } from '../control-plane-fields.js';
import type { CurrentState } from '../topology-state.js';
import { versionOf, versionOrder, versionText } from './compare-versions.js';

/** The remaining versions of an upgrade in order. The last one is the version of the topology. */
export interface UpgradePlan {
  readonly controlPlane: readonly string[];
  /** Workers may skip versions, but must stay within three minor versions. */
  readonly workers: readonly string[];
}

/** The current versions and the target version of an upgrade. */
export interface UpgradeRange {
  readonly desired: string;
  readonly controlPlane: string;
  /** The lowest version of all workers. Empty if there are none. */
  readonly minWorkers: string;
}

export const emptyPlan: UpgradePlan = { controlPlane: [], workers: [] };
const workersSkewMax = 3;

/** Returns the current and target versions of the upgrade. Undefined before the control plane exists. */
export function upgradeRange(current: CurrentState, desired: string): UpgradeRange | undefined {
  if (current.controlPlane === undefined) return undefined;
  const controlPlane = specVersionOf(current.controlPlane.object);
  const atControlPlane = versionOf(controlPlane, 'the control plane');
  let lowest: SemVer | undefined;
  const workers = [...current.machineDeployments.values(), ...current.machinePools.values()];
  for (const { object } of workers) {
    const { version = '' } = object.spec.template.spec;
    if (version === '') continue;
    const parsed = versionOf(version, `${object.kind} ${object.metadata.name ?? ''}`);
    if (lowest === undefined || isLower(parsed, lowest, atControlPlane)) lowest = parsed;
  }
  return { desired, controlPlane, minWorkers: lowest === undefined ? '' : versionText(lowest) };
}

/**
 * Returns whether a worker version is lower than the lowest one so far. Workers never have a newer version than the control
 * plane, so a different build of its version counts as older.
 */
function isLower(version: SemVer, lowest: SemVer, controlPlane: SemVer): boolean {
  const order = versionOrder(version, lowest);
  return order === 'older' || (order === 'unordered' && versionText(version) !== versionText(controlPlane));
}

export function isUpToDate({ desired, controlPlane, minWorkers }: UpgradeRange): boolean {
  return same(controlPlane, desired) && (minWorkers === '' || same(minWorkers, desired));
}

/** Plans an upgrade without a version list: one step of at most one minor version. */
export function planOneMinor({ desired, controlPlane }: UpgradeRange): readonly string[] {
  if (same(controlPlane, desired)) return [];
  if (versionOf(desired, 'the topology').minor > versionOf(controlPlane, 'the control plane').minor + 1) {
    throw planError(`cannot compute an upgrade plan from ${controlPlane} to ${desired}`);
  }
  return [desired];
}

/** Plans an upgrade from a version list: the newest listed version of each minor version on the path. */
export function planFromVersions(
  { desired, controlPlane }: UpgradeRange,
  versions: readonly string[],
): readonly string[] {
  if (same(controlPlane, desired)) return [];
  const from = versionOf(controlPlane, 'the control plane');
  const to = versionOf(desired, 'the topology');
  // A change to another build of the same version is one step, listed or not.
  if (versionOrder(from, to) === 'unordered') return [desired];
  const plan: { readonly text: string; readonly minor: number }[] = [];
  for (const text of versions) {
    const version = versionOf(text, 'spec.kubernetesVersions of the ClusterClass');
    if (version.compare(from) <= 0) continue;
    if (versionOrder(version, to) === 'newer') break;
    if (plan.at(-1)?.minor === version.minor) plan.pop();
    // Skip newer patch versions of the current minor version if the target has another minor version.
    if (version.minor !== from.minor || to.minor === from.minor) plan.push({ text, minor: version.minor });
    if (same(text, desired)) break;
  }
  return plan.map(({ text }) => text);
}

/** Validates a plan: versions are in order, skip no minor version and end with the desired version. Adds the steps of workers. */
export function completePlan(
  range: UpgradeRange,
  controlPlane: readonly string[],
  workers: readonly string[] = [],
): UpgradePlan {
  checkControlPlane(range, controlPlane);
  return { controlPlane, workers: checkedWorkers(range, controlPlane, workers) };
}

function checkControlPlane(range: UpgradeRange, plan: readonly string[]): void {
  const name = 'invalid ControlPlane upgrade plan';
  if (same(range.controlPlane, range.desired)) {
    if (plan.length > 0) throw planError(`${name}: control plane is already at the desired version`);
    return;
  }
  let at = versionOf(range.controlPlane, 'the control plane');
  for (const [index, text] of plan.entries()) {
    const next = versionOf(text, `item ${index} of the upgrade plan of the control plane`);
    if (!isAfter(next, at)) {
      throw planError(`${name}: item ${index}; version ${text} must be greater than ${versionText(at)}`);
    }
    if (next.minor !== at.minor && next.minor !== at.minor + 1) {
      const expected = `expecting a version with minor ${at.minor} or ${at.minor + 1}, found version ${text}`;
      throw planError(`${name}: item ${index}; ${expected}`);
    }
    at = next;
  }
  if (!same(versionText(at), range.desired)) {
    const ends = `control plane upgrade plan must end with version ${range.desired}, ends with ${versionText(at)} instead`;
    throw planError(`${name}: ${ends}`);
  }
}

function checkedWorkers(
  range: UpgradeRange,
  controlPlane: readonly string[],
  given: readonly string[],
): readonly string[] {
  if (range.minWorkers === '' || same(range.minWorkers, range.desired)) {
    if (given.length === 0) return [];
    throw planError('invalid worker upgrade plan; there are no workers or workers already at the desired version');
  }
  const known = new Set([...controlPlane, range.controlPlane]);
  const foreign = given.filter((version) => !known.has(version));
  if (controlPlane.length > 0 && foreign.length > 0) {
    const text = `versions ${foreign.join(',')} doesn't match any versions in the control plane upgrade plan`;
    throw planError(`invalid workers upgrade plan: ${text} nor the control plane version`);
  }
  const plan = given.length > 0 ? given : fewestSteps(range, controlPlane);
  checkWorkerSteps(range, controlPlane, plan);
  return plan;
}

/** Returns the fewest worker steps that the version skew allows, because each step replaces all machines. */
function fewestSteps(range: UpgradeRange, controlPlane: readonly string[]): readonly string[] {
  const minors = new Map([range.controlPlane, ...controlPlane].map((text) => [versionOf(text, 'a step').minor, text]));
  const from = versionOf(range.minWorkers, 'the workers').minor;
  const to = versionOf(range.desired, 'the topology').minor;
  const steps: string[] = [];
  for (let minor = from + workersSkewMax; minor < to; minor += workersSkewMax) {
    const step = minors.get(minor);
    if (step === undefined) throw planError(`invalid upgrade plan; unable to identify version for minor ${minor}`);
    steps.push(step);
  }
  return steps.at(-1) === range.desired ? steps : [...steps, range.desired];
}

function checkWorkerSteps(range: UpgradeRange, controlPlane: readonly string[], plan: readonly string[]): void {
  const name = 'invalid workers upgrade plan';
  const places = new Map([range.controlPlane, ...controlPlane].map((text, place) => [text, place]));
  let at = versionOf(range.minWorkers, 'the workers');
  for (const [index, text] of plan.entries()) {
    const next = versionOf(text, `item ${index} of the upgrade plan of the workers`);
    if (!isAfter(next, at)) {
      throw planError(`${name}, item ${index}; version ${text} must be greater than ${versionText(at)}`);
    }
    // Builds of a version have no order, so compare their positions in the control plane plan.
    const isEarlier = (places.get(text) ?? 0) < (places.get(versionText(at)) ?? -1);
    if (versionOrder(next, at) === 'unordered' && isEarlier) {
      throw planError(`${name}, item ${index}; version ${text} must be before ${versionText(at)}`);
    }
    if (next.minor - at.minor > workersSkewMax) {
      const skip = `workers cannot go from minor ${at.minor} (${versionText(at)}) to minor ${next.minor} (${text})`;
      throw planError(
        `${name}, item ${index}; ${skip}, an intermediate step is required to comply with Kubernetes version skew rules`,
      );
    }
    at = next;
  }
  if (!same(versionText(at), range.desired)) {
    const ends = `workers upgrade plan must end with version ${range.desired}, ends with ${versionText(at)} instead`;
    throw planError(`${name}; ${ends}`);
  }
}

function isAfter(next: SemVer, at: SemVer): boolean {
  const order = versionOrder(next, at);
  return order === 'newer' || order === 'unordered';
}

function same(left: string, right: string): boolean {
  return versionOrder(versionOf(left, 'the upgrade'), versionOf(right, 'the upgrade')) === 'equal';
}

function planError(message: string): ReconcileError {
  return new ReconcileError('InvalidUpgradePlan', message, { retry: 'onChange' });
}
