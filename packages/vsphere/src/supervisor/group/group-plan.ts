import type { MachineDeployment } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Conditioned, getCondition, isDeleting } from '@slipway/runtime';
import type { VirtualMachineGroup } from '../../api/index.js';

/** Annotation on the group with the zone of a MachineDeployment: `…/<deployment>: <zone>`. */
export const zoneAnnotationPrefix = 'zone.vmware.infrastructure.cluster.x-k8s.io/';

export interface Worker {
  /** Name of the VirtualMachine. */
  readonly vmName: string;
  readonly deployment: string;
  readonly deleting: boolean;
}

export interface GroupState {
  readonly deployments: readonly Frozen<MachineDeployment>[];
  readonly workers: readonly Worker[];
  /** Zones of the namespace. */
  readonly zones: readonly string[];
  readonly group: Frozen<VirtualMachineGroup> | undefined;
}

export interface GroupPlan {
  /** Names of VirtualMachines, sorted. */
  readonly members: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Returns the desired group, or undefined while it must not be created yet. */
export function planGroup(state: GroupState): GroupPlan | undefined {
  const deployments = state.deployments.filter((deployment) => !isDeleting(deployment));
  const names = new Set(deployments.map(({ metadata }) => metadata.name ?? ''));
  const workers = state.workers.filter(({ deployment }) => names.has(deployment));
  if (state.group === undefined && !isComplete(deployments, workers)) return undefined;
  const zones = deployments.flatMap((deployment) => {
    const zone = zoneOf(deployment, workers, state);
    return zone === undefined ? [] : [[deployment.metadata.name ?? '', zone] as const];
  });
  const placed = new Set(zones.map(([deployment]) => deployment));
  const existing = membersOf(state.group);
  // A machine that is added to an existing group must be in the zone of its MachineDeployment, so it waits until that zone is
  // known.
  const members = workers.filter(
    ({ vmName, deployment }) => state.group === undefined || existing.has(vmName) || placed.has(deployment),
  );
  return {
    members: members.map(({ vmName }) => vmName).sort(),
    annotations: Object.fromEntries(zones.map(([deployment, zone]) => [`${zoneAnnotationPrefix}${deployment}`, zone])),
  };
}

/**
 * Returns whether all desired machines exist. The group must list all of them when it is created, because they are placed
 * together.
 */
function isComplete(deployments: readonly Frozen<MachineDeployment>[], workers: readonly Worker[]): boolean {
  const desired = deployments.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
  return desired > 0 && workers.length >= desired && workers.every(({ deleting }) => !deleting);
}

export function membersOf(group: Frozen<VirtualMachineGroup> | undefined): ReadonlySet<string> {
  const steps = group?.spec?.bootOrder ?? [];
  return new Set(steps.flatMap(({ members = [] }) => members.map(({ name }) => name)));
}

/**
 * Returns the zone of a MachineDeployment: the one in its spec, else the zone in the group's annotation, else the zone where the
 * Supervisor placed one of its machines, else the only zone of the namespace.
 */
function zoneOf(
  deployment: Frozen<MachineDeployment>,
  workers: readonly Worker[],
  { group, zones }: GroupState,
): string | undefined {
  const { failureDomain } = deployment.spec.template.spec;
  if (failureDomain !== undefined) return failureDomain;
  const [only] = zones.length === 1 ? zones : [];
  if (group === undefined) return only;
  const name = deployment.metadata.name ?? '';
  const own = new Set(workers.filter((worker) => worker.deployment === name).map(({ vmName }) => vmName));
  const isNew = [...membersOf(group)].every((member) => !own.has(member));
  return (
    group.metadata.annotations?.[`${zoneAnnotationPrefix}${name}`] ??
    placementOf(group, own) ??
    (isNew ? only : undefined)
  );
}

/** Returns the zone in which the Supervisor placed any machine of the MachineDeployment. */
function placementOf(group: Frozen<VirtualMachineGroup>, own: ReadonlySet<string>): string | undefined {
  const members = (group.status?.members ?? []).filter(({ name }) => own.has(name));
  for (const member of members) {
    const ready = getCondition({ metadata: {}, status: member } as Conditioned, 'PlacementReady');
    const zone = member.placement?.zoneID ?? '';
    if (ready?.status === 'True' && zone !== '') return zone;
  }
  for (const member of members) {
    const ready = getCondition({ metadata: {}, status: member } as Conditioned, 'PlacementReady');
    // The machine was placed before the group existed: the message contains the zone.
    if (ready?.reason === 'AlreadyPlaced' && ready.message !== '') return ready.message;
  }
  return undefined;
}
