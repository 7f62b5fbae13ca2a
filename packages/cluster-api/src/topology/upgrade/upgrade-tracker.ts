import { emptyPlan, type UpgradePlan } from './upgrade-plan.js';

/** How far the control plane is with an upgrade. */
export interface ControlPlaneUpgrade {
  readonly isProvisioning: boolean;
  readonly isUpgrading: boolean;
  /** It gets another version with this reconcile. */
  readonly isStartingUpgrade: boolean;
  /** It does not have the version of the topology, and cannot get it now. */
  readonly isPendingUpgrade: boolean;
  readonly isWaitingForWorkersUpgrade: boolean;
}

/** How far MachineDeployments or MachinePools are. Names are those of the objects, but for those yet to be created. */
export interface WorkersUpgrade {
  readonly plan: readonly string[];
  readonly upgrading: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
  readonly deferred: ReadonlySet<string>;
  readonly pendingCreate: ReadonlySet<string>;
}

export interface UpgradeState {
  readonly controlPlanePlan: readonly string[];
  readonly controlPlane: ControlPlaneUpgrade;
  readonly machineDeployments: WorkersUpgrade;
  readonly machinePools: WorkersUpgrade;
}

export const stableControlPlane: ControlPlaneUpgrade = {
  isProvisioning: false,
  isUpgrading: false,
  isStartingUpgrade: false,
  isPendingUpgrade: false,
  isWaitingForWorkersUpgrade: false,
};

export function isStable(upgrade: ControlPlaneUpgrade): boolean {
  return isSettled(upgrade) && !upgrade.isPendingUpgrade;
}

/** Stable, or held back only until the workers have caught up: that is when they may. */
export function isStableForWorkers(upgrade: ControlPlaneUpgrade): boolean {
  return isSettled(upgrade) && (!upgrade.isPendingUpgrade || upgrade.isWaitingForWorkersUpgrade);
}

function isSettled({ isProvisioning, isUpgrading, isStartingUpgrade }: ControlPlaneUpgrade): boolean {
  return !isProvisioning && !isUpgrading && !isStartingUpgrade;
}

export const idleWorkers: WorkersUpgrade = {
  plan: emptyPlan.workers,
  upgrading: new Set(),
  pending: new Set(),
  deferred: new Set(),
  pendingCreate: new Set(),
};

/** Whether anything of these workers is still on its way. */
export function isAnyOnTheWay({ upgrading, pending, deferred, pendingCreate }: WorkersUpgrade): boolean {
  return upgrading.size + pending.size + deferred.size + pendingCreate.size > 0;
}

/** The plan that the workers of one kind follow: those that there are none of follow none. */
export function planFor({ workers }: UpgradePlan, count: number): readonly string[] {
  return count > 0 ? workers : [];
}
