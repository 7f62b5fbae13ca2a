import { parseTime } from '@slipway/kube';
import { getCondition } from '@slipway/runtime';
import { machineReasons } from '../api/index.js';
import { isDeleting, nameOf, type ObservedMachine } from './machine.js';

const namesMax = 3;
const staleAfterMs = 15 * 60_000;
/** Times are cut to seconds. */
const roundingMs = 1000;
const drainIsSlowAfterMs = 5 * 60_000;

/** What the drain reports, and how it is told in a few words; in the order in which they are listed. */
const delays: readonly { readonly reported: string; readonly told: string }[] = [
  {
    reported: "cannot evict pod as it would violate the pod's disruption budget.",
    told: 'PodDisruptionBudgets',
  },
  { reported: 'deletionTimestamp set, but still not removed from the Node', told: 'Pods not terminating' },
  { reported: 'failed to evict Pod', told: 'Pod eviction errors' },
  { reported: 'waiting for completion', told: 'Pods not completed yet' },
];

/** `Machines a, b, c, ... (2 more) are`, by name. */
export function machinesAre(machines: readonly ObservedMachine[]): string {
  const names = machines.map(nameOf).sort();
  const more = names.length - namesMax;
  const listed = names.slice(0, namesMax).join(', ') + (more > 0 ? `, ... (${more} more)` : '');
  return names.length === 1 ? `Machine ${listed} is` : `Machines ${listed} are`;
}

/** Names the machines whose deletion takes suspiciously long, and why; empty when there are none. */
export function staleMachinesMessage(machines: readonly ObservedMachine[], nowMs: number): string {
  const stale = machines.filter(
    (machine) => isDeleting(machine) && nowMs - parseTime(machine.metadata.deletionTimestamp ?? '') > staleAfterMs,
  );
  if (stale.length === 0) return '';
  return `${machinesAre(stale)} in deletion since more than 15m${slowDrainCauses(stale, nowMs)}`;
}

/** What drains that take long report as their causes, to be appended to a message; empty when none does. */
export function slowDrainCauses(machines: readonly ObservedMachine[], nowMs: number): string {
  const reports = machines.map((machine) => slowDrainReport(machine, nowMs)).join('\n');
  const causes = delays.filter(({ reported }) => reports.includes(reported)).map(({ told }) => told);
  return causes.length > 0 ? `, delay likely due to ${causes.join(', ')}` : '';
}

/** How long until the next machine in deletion counts as late, and a message has to change by time alone. */
export function staleInMs(machines: readonly ObservedMachine[], nowMs: number): number | undefined {
  const left = machines
    .filter(isDeleting)
    .map(({ metadata }) => parseTime(metadata.deletionTimestamp ?? '') + staleAfterMs + roundingMs - nowMs)
    .filter((ms) => ms > 0);
  return left.length === 0 ? undefined : Math.min(...left);
}

function slowDrainReport(machine: ObservedMachine, nowMs: number): string {
  const condition = getCondition(machine, 'Deleting');
  const startedAt = machine.status?.deletion?.nodeDrainStartTime;
  if (condition?.status !== 'True' || condition.reason !== machineReasons.drainingNode) return '';
  if (startedAt === undefined || nowMs - parseTime(startedAt) <= drainIsSlowAfterMs) return '';
  return condition.message;
}

/** Names machines that fail their health check while nobody was asked to remediate them. */
export function unhealthyMachinesMessage(machines: readonly ObservedMachine[]): string {
  if (machines.length === 0) return '';
  return `${machinesAre(machines)} not healthy (not to be remediated by MachineDeployment/MachineSet)`;
}

export interface MissingTemplates {
  /** Kind of the bootstrap template that does not exist. */
  readonly bootstrap?: string;
  /** Kind of the infrastructure template that does not exist. */
  readonly infrastructure?: string;
}

/** `KubeadmConfigTemplate and DevMachineTemplate do not exist`; empty when both are there. */
export function missingTemplatesMessage(missing: MissingTemplates): string {
  const kinds = [missing.bootstrap, missing.infrastructure].filter((kind) => kind !== undefined);
  if (kinds.length === 0) return '';
  return kinds.length === 1 ? `${kinds[0]} does not exist` : `${kinds.join(' and ')} do not exist`;
}
