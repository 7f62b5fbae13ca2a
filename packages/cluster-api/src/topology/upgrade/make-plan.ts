import type { ObservedClass } from '../topology-state.js';
import {
  completePlan,
  emptyPlan,
  isUpToDate,
  planFromVersions,
  planOneMinor,
  type UpgradePlan,
  type UpgradeRange,
} from './upgrade-plan.js';

/** Asks the extension that the class names for a plan. */
export type AskForPlan = (
  extension: string,
  range: UpgradeRange,
) => Promise<{ readonly controlPlane: readonly string[]; readonly workers: readonly string[] }>;

/** The way to the version of the topology: an extension's, else by the versions of the class, else one step. */
export async function makePlan(
  range: UpgradeRange | undefined,
  { spec }: ObservedClass,
  ask: AskForPlan,
): Promise<UpgradePlan> {
  if (range === undefined || isUpToDate(range)) return emptyPlan;
  const extension = spec.upgrade?.external?.generateUpgradePlanExtension;
  if (extension !== undefined) {
    const { controlPlane, workers } = await ask(extension, range);
    return completePlan(range, controlPlane, workers);
  }
  const versions = spec.kubernetesVersions ?? [];
  return completePlan(range, versions.length > 0 ? planFromVersions(range, versions) : planOneMinor(range));
}
