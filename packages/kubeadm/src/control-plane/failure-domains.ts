import { compareAges, isDeleting } from '@slipway/cluster-api';
import type { ControlPlaneView, MachineView } from './control-plane.js';

function domainNames(view: ControlPlaneView): string[] {
  return (view.cluster.status?.failureDomains ?? [])
    .filter(({ controlPlane }) => controlPlane === true)
    .map(({ name }) => name)
    .sort();
}

function countIn(machines: readonly MachineView[], domain: string): number {
  return machines.filter(({ machine }) => machine.spec.failureDomain === domain).length;
}

/**
 * Returns the failure domain of a new machine: the one with the fewest up-to-date machines, so that machines are spread after a
 * rollout. Among equal ones, the one with the fewest machines in total. Undefined if the infrastructure has no failure domains.
 */
export function domainForNewMachine(view: ControlPlaneView): string | undefined {
  const staying = view.machines.filter(({ machine, outdated }) => outdated.length === 0 && !isDeleting(machine));
  const ranked = domainNames(view).map((name) => ({
    name,
    counts: [countIn(staying, name), countIn(view.machines, name)] as const,
  }));
  ranked.sort((left, right) => left.counts[0] - right.counts[0] || left.counts[1] - right.counts[1]);
  return ranked[0]?.name;
}

/** Returns the oldest candidate in the failure domain with the most machines. Domains that no longer exist come first. */
export function oldestInFullestDomain(
  view: ControlPlaneView,
  eligible: readonly MachineView[],
): MachineView | undefined {
  const byAge = [...eligible].sort((left, right) => compareAges(left.machine, right.machine));
  const domains = domainNames(view);
  const misplaced = byAge.find(({ machine }) => !domains.includes(machine.spec.failureDomain ?? ''));
  if (misplaced !== undefined) return misplaced;
  const ranked = domains.map((name) => ({
    name,
    counts: [countIn(eligible, name), countIn(view.machines, name)] as const,
  }));
  ranked.sort((left, right) => right.counts[0] - left.counts[0] || right.counts[1] - left.counts[1]);
  return byAge.find(({ machine }) => machine.spec.failureDomain === ranked[0]?.name);
}
