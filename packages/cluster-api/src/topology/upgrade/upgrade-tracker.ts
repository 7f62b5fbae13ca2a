import { emptyPlan, type UpgradePlan } from './upgrade-plan.js';

/** The upgrade state of the control plane. */
export interface ControlPlaneUpgrade {
  readonly isProvisioning: boolean;
  readonly isUpgrading: boolean;
  /** Whether the control plane gets a new version in this reconcile. */
  readonly isStartingUpgrade: boolean;
  /** Whether the control plane does not have the version of the topology and cannot get it now. */
  readonly isPendingUpgrade: boolean;
  readonly isWaitingForWorkersUpgrade: boolean;
}

/** The upgrade state of MachineDeployments or MachinePools, by object name. Pending creations are listed by topology name. */
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

/** Whether workers may be upgraded: the control plane is stable, or waits only for them. */
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

/** Whether any of these workers is being upgraded or waits for an upgrade. */
export function isAnyOnTheWay({ upgrading, pending, deferred, pendingCreate }: WorkersUpgrade): boolean {
  return upgrading.size + pending.size + deferred.size + pendingCreate.size > 0;
}

/** Returns the upgrade plan of workers of one kind. Empty if there are none. */
export function planFor({ workers }: UpgradePlan, count: number): readonly string[] {
  return count > 0 ? workers : [];
}
