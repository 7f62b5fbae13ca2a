import { parseTime } from '@slipway/kube';
import { getCondition } from '@slipway/runtime';
import { machineReasons } from '../api/index.js';
import { isDeleting, nameOf, type ObservedMachine } from './machine.js';

const namesMax = 3;
const staleAfterMs = 15 * 60_000;
/** One second: deletion times are truncated to seconds. */
const roundingMs = 1000;
const drainIsSlowAfterMs = 5 * 60_000;

/** Parts of drain messages and their summaries, in output order. */
const delays: readonly { readonly reported: string; readonly summary: string }[] = [
  {
    reported: "cannot evict pod as it would violate the pod's disruption budget.",
    summary: 'PodDisruptionBudgets',
  },
  { reported: 'deletionTimestamp set, but still not removed from the Node', summary: 'Pods not terminating' },
  { reported: 'failed to evict Pod', summary: 'Pod eviction errors' },
  { reported: 'waiting for completion', summary: 'Pods not completed yet' },
];

/** Returns `Machines a, b, c, ... (2 more) are`, sorted by name. */
export function machinesAre(machines: readonly ObservedMachine[]): string {
  const names = machines.map(nameOf).sort();
  const more = names.length - namesMax;
  const listed = names.slice(0, namesMax).join(', ') + (more > 0 ? `, ... (${more} more)` : '');
  return names.length === 1 ? `Machine ${listed} is` : `Machines ${listed} are`;
}

/** Lists the machines whose deletion takes too long, and the likely causes. Empty if there are none. */
export function staleMachinesMessage(machines: readonly ObservedMachine[], nowMs: number): string {
  const stale = machines.filter(
    (machine) => isDeleting(machine) && nowMs - parseTime(machine.metadata.deletionTimestamp ?? '') > staleAfterMs,
  );
  if (stale.length === 0) return '';
  return `${machinesAre(stale)} in deletion since more than 15m${slowDrainCauses(stale, nowMs)}`;
}

/** Returns the causes that slow drains report, to be appended to a message. Empty if there are none. */
export function slowDrainCauses(machines: readonly ObservedMachine[], nowMs: number): string {
  const reports = machines.map((machine) => slowDrainReport(machine, nowMs)).join('\n');
  const causes = delays.filter(({ reported }) => reports.includes(reported)).map(({ summary }) => summary);
  return causes.length > 0 ? `, delay likely due to ${causes.join(', ')}` : '';
}

/** Returns the time until the deletion of another machine takes too long, which changes a message without an event. */
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

/** Lists machines that fail their health check without a remediation request. */
export function unhealthyMachinesMessage(machines: readonly ObservedMachine[]): string {
  if (machines.length === 0) return '';
  return `${machinesAre(machines)} not healthy (not to be remediated by MachineDeployment/MachineSet)`;
}

export interface MissingTemplates {
  /** Kind of the missing bootstrap template. */
  readonly bootstrap?: string;
  /** Kind of the missing infrastructure template. */
  readonly infrastructure?: string;
}

/** Returns a message such as `KubeadmConfigTemplate and DevMachineTemplate do not exist`. Empty if both exist. */
export function missingTemplatesMessage(missing: MissingTemplates): string {
  const kinds = [missing.bootstrap, missing.infrastructure].filter((kind) => kind !== undefined);
  if (kinds.length === 0) return '';
  return kinds.length === 1 ? `${kinds[0]} does not exist` : `${kinds.join(' and ')} do not exist`;
}
