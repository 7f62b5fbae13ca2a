import type { MachineDeployment } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Conditioned, getCondition, isDeleting } from '@slipway/runtime';
import type { VirtualMachineGroup } from '../../api/index.js';

/** Where the machines of a deployment were placed, on the group: `…/<deployment>: <zone>`. */
export const zoneAnnotationPrefix = 'zone.vmware.infrastructure.cluster.x-k8s.io/';

export interface Worker {
  /** Of its VirtualMachine. */
  readonly vmName: string;
  readonly deployment: string;
  readonly deleting: boolean;
}

export interface GroupState {
  readonly deployments: readonly Frozen<MachineDeployment>[];
  readonly workers: readonly Worker[];
  /** Of the namespace. */
  readonly zones: readonly string[];
  readonly group: Frozen<VirtualMachineGroup> | undefined;
}

export interface GroupPlan {
  /** Names of VirtualMachines, sorted. */
  readonly members: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** What the group should be; undefined while it is too early for one. */
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
  // A machine that comes later goes where the others of its deployment are, so that it waits until that is known.
  const members = workers.filter(
    ({ vmName, deployment }) => state.group === undefined || existing.has(vmName) || placed.has(deployment),
  );
  return {
    members: members.map(({ vmName }) => vmName).sort(),
    annotations: Object.fromEntries(zones.map(([deployment, zone]) => [`${zoneAnnotationPrefix}${deployment}`, zone])),
  };
}

/** All machines are placed at once: the first group has to have all of them. */
function isComplete(deployments: readonly Frozen<MachineDeployment>[], workers: readonly Worker[]): boolean {
  const wanted = deployments.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
  return wanted > 0 && workers.length >= wanted && workers.every(({ deleting }) => !deleting);
}

export function membersOf(group: Frozen<VirtualMachineGroup> | undefined): ReadonlySet<string> {
  const steps = group?.spec?.bootOrder ?? [];
  return new Set(steps.flatMap(({ members = [] }) => members.map(({ name }) => name)));
}

/** What the user says now, then what was said or seen before, then what there is only one of. */
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

/** Where the Supervisor has placed any machine of the deployment. */
function placementOf(group: Frozen<VirtualMachineGroup>, own: ReadonlySet<string>): string | undefined {
  const members = (group.status?.members ?? []).filter(({ name }) => own.has(name));
  for (const member of members) {
    const ready = getCondition({ metadata: {}, status: member } as Conditioned, 'PlacementReady');
    const zone = member.placement?.zoneID ?? '';
    if (ready?.status === 'True' && zone !== '') return zone;
  }
  for (const member of members) {
    const ready = getCondition({ metadata: {}, status: member } as Conditioned, 'PlacementReady');
    // A machine that was there before the group: the message is the zone.
    if (ready?.reason === 'AlreadyPlaced' && ready.message !== '') return ready.message;
  }
  return undefined;
}
