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

/** Calls the GenerateUpgradePlan extension of the ClusterClass. */
export type AskForPlan = (
  extension: string,
  range: UpgradeRange,
) => Promise<{ readonly controlPlane: readonly string[]; readonly workers: readonly string[] }>;

/** Returns the upgrade plan: from an extension, otherwise from the versions of the ClusterClass, otherwise a single step. */
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
