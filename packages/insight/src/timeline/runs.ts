import { labels, textAt } from '@slipway/cluster-api';
import { timeOf } from '@slipway/kube';
import type { ObjectSet, Observed } from '../objects/index.js';
import type { MilestoneTimes } from './marks.js';

/** A period in which the machines of a cluster changed: its creation, an upgrade, a scaling or a replacement. */
export interface Run {
  readonly kind: 'creation' | 'upgrade' | 'scaling' | 'replacement';
  /** The Kubernetes version of its machines; '' if the machines are unknown. */
  readonly version: string;
  /** Milliseconds since the manifest was applied. */
  readonly startMs: number;
  /** When the last machine of the run became ready; undefined while one of them is not ready. */
  readonly endMs: number | undefined;
  readonly machines: number;
}

/** A run with its machines. */
export interface MachineRun extends Run {
  readonly members: readonly Observed[];
}

/**
 * A machine that is created within this time after the previous ones are ready belongs to the same run: control plane machines
 * are added one at a time.
 */
const quietMs = 120_000;

interface Draft {
  readonly kind: Run['kind'];
  readonly version: string;
  readonly fromMs: number;
  readonly members: Observed[];
}

/** Returns the runs of a cluster, oldest first. Machines that no longer exist are known from the history of the server. */
export function machineRuns(
  set: ObjectSet,
  cluster: Observed,
  history: readonly Observed[],
  milestoneTimes: MilestoneTimes,
): readonly MachineRun[] {
  const startMs = milestoneTimes.at(cluster, 'created') ?? 0;
  const machines = machinesOf(set, cluster, history);
  const drafts: Draft[] = [];
  const groups = new Map<string, Group>();
  for (const machine of machines) {
    const fromMs = timeOf(machine.metadata.creationTimestamp) ?? startMs;
    const version = textAt(machine, 'spec', 'version') ?? '';
    const [creation] = drafts;
    const kind = creation === undefined ? 'creation' : kindOf(machine, groups, creation.version, set);
    const isPart = (draft: Draft): boolean =>
      (draft === creation ? kind === 'scaling' : draft.kind === kind && draft.version === version) &&
      fromMs - (endOf(draft, milestoneTimes) ?? fromMs) <= quietMs;
    const run = drafts.findLast(isPart);
    if (run === undefined) drafts.push({ kind, version, fromMs, members: [machine] });
    else run.members.push(machine);
    remember(machine, groups, set);
  }
  const isComplete = hasCreation(machines, cluster, milestoneTimes);
  const runs = drafts.map((draft, index) => {
    const run = runOf(draft, index, startMs, milestoneTimes);
    // The machines of the creation are no longer known, so that these must have replaced them.
    return index === 0 && !isComplete ? { ...run, kind: 'replacement' as const, startMs: draft.fromMs - startMs } : run;
  });
  return isComplete ? runs : [lostCreation(cluster, milestoneTimes, startMs), ...runs];
}

/** Returns the machines of the cluster in their last known state, oldest first. */
function machinesOf(set: ObjectSet, cluster: Observed, history: readonly Observed[]): readonly Observed[] {
  const { namespace, name } = cluster.metadata;
  const byUid = new Map<string, Observed>();
  for (const object of [...history, ...set.ofKind('Machine')]) {
    const { metadata } = object;
    if (object.kind !== 'Machine' || metadata.namespace !== namespace) continue;
    if (metadata.labels?.[labels.clusterName] === name) byUid.set(metadata.uid ?? metadata.name ?? '', object);
  }
  const created = ({ metadata }: Observed): number => timeOf(metadata.creationTimestamp) ?? 0;
  return [...byUid.values()].toSorted((left, right) => created(left) - created(right));
}

function readyAt(machine: Observed, milestoneTimes: MilestoneTimes): number | undefined {
  return milestoneTimes.first(machine, 'Ready', 'NodeHealthy', 'node');
}

/** Returns when the last machine became ready, or undefined if one of them has not been ready. */
function endOf({ members }: Draft, milestoneTimes: MilestoneTimes): number | undefined {
  const ready = members.map((machine) => readyAt(machine, milestoneTimes));
  return ready.some((at) => at === undefined) ? undefined : Math.max(...ready.map((at) => at ?? 0));
}

function runOf(draft: Draft, index: number, startMs: number, milestoneTimes: MilestoneTimes): MachineRun {
  const end = endOf(draft, milestoneTimes);
  return {
    kind: draft.kind,
    version: draft.version,
    startMs: index === 0 ? 0 : draft.fromMs - startMs,
    endMs: end === undefined ? undefined : end - startMs,
    machines: draft.members.length,
    members: draft.members,
  };
}

/** The machines of one owner: the control plane, a MachineDeployment, a MachineSet or a MachinePool. */
interface Group {
  /** The version of the newest machine. */
  readonly version: string;
  /** Machines that are deleted or being deleted, and that no later machine has replaced. */
  readonly gone: number;
}

const controlPlane = 'control plane';
const groupLabels = [labels.deploymentName, labels.setName, labels.poolName];

function groupOf({ metadata }: Observed): string {
  const own = metadata.labels ?? {};
  if (Object.hasOwn(own, labels.controlPlane)) return controlPlane;
  return groupLabels.map((label) => own[label]).find((name) => name !== undefined) ?? '';
}

/**
 * Returns why a machine was created after the first one, from the earlier machines of the same owner: workers may have another
 * version than the control plane.
 */
function kindOf(
  machine: Observed,
  groups: ReadonlyMap<string, Group>,
  firstVersion: string,
  set: ObjectSet,
): Run['kind'] {
  const name = groupOf(machine);
  const group = groups.get(name);
  const version = textAt(machine, 'spec', 'version') ?? '';
  if (group !== undefined) {
    if (group.version !== version) return 'upgrade';
    return group.gone > 0 ? 'replacement' : 'scaling';
  }
  // The history no longer contains the earlier machines of the control plane.
  const isLater = name === controlPlane && version !== firstVersion && set.ofKind('Machine').length > 1;
  return isLater ? 'upgrade' : 'scaling';
}

function remember(machine: Observed, groups: Map<string, Group>, set: ObjectSet): void {
  const { uid, deletionTimestamp } = machine.metadata;
  const name = groupOf(machine);
  const version = textAt(machine, 'spec', 'version') ?? '';
  const isGone = (deletionTimestamp ?? '') !== '' || set.byUid(uid) === undefined;
  const { gone = 0 } = groups.get(name) ?? {};
  groups.set(name, { version, gone: Math.max(gone - 1, 0) + (isGone ? 1 : 0) });
}

/**
 * Returns whether the machines of the creation are known: the first machine is created before the control plane is initialized.
 */
function hasCreation(machines: readonly Observed[], cluster: Observed, milestoneTimes: MilestoneTimes): boolean {
  const initialized = milestoneTimes.at(cluster, 'ControlPlaneInitialized');
  const [first] = machines;
  if (first === undefined || initialized === undefined) return true;
  return (timeOf(first.metadata.creationTimestamp) ?? 0) <= initialized;
}

function lostCreation(cluster: Observed, milestoneTimes: MilestoneTimes, startMs: number): MachineRun {
  const end = milestoneTimes.at(cluster, 'ControlPlaneInitialized');
  const endMs = end === undefined ? undefined : end - startMs;
  return { kind: 'creation', version: '', startMs: 0, endMs, machines: 0, members: [] };
}
