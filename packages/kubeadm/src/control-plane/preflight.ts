import { isDeleting, nameOf, topologyAnnotations } from '@slipway/cluster-api';
import { getCondition, isConditionTrue } from '@slipway/runtime';
import { controlPlaneAnnotations, controlPlaneMachineConditions, kubeadmConditions } from '../api/index.js';
import {
  componentConditions,
  type ControlPlaneDecision,
  type ControlPlaneView,
  isEtcdManaged,
  isInitialized,
  type MachineView,
  nodeOf,
  type PreflightFindings,
} from './control-plane.js';
import { hasHealthyControlPlaneWithout, isEtcdSafe, isEtcdSafeWithout } from './etcd-members.js';

export interface Preflight {
  readonly findings: PreflightFindings;
  /** Set if the change has to wait. */
  readonly wait?: Extract<ControlPlaneDecision, { type: 'wait' }>;
  readonly warning?: string;
}

/** Retry interval. Pods of the workload cluster, which show the health of the control plane, are not watched. */
export const preflightRetryMs = 15_000;
export const deletionRetryMs = 30_000;

/** Returns the version that the topology of the Cluster will request next. Undefined if this control plane already has it. */
export function pendingTopologyVersion({ cluster, controlPlane }: ControlPlaneView): string | undefined {
  const desired = cluster.spec?.topology?.version;
  const step = cluster.metadata.annotations?.[topologyAnnotations.upgradeStep] ?? '';
  const { version } = controlPlane.spec;
  if (desired === undefined || desired === version || (step !== '' && step === version)) return undefined;
  return step === '' ? desired : step;
}

/**
 * Checks whether a machine may be created or, if `removed` is set, whether that machine may be deleted. Allows one
 * change at a time, and only in a healthy state.
 */
export function checkPreflight(view: ControlPlaneView, removed?: MachineView): Preflight {
  if (view.machines.length === 0) return { findings: {} };
  return checkSurroundings(view, removed) ?? checkHealth(view, removed);
}

function checkSurroundings(view: ControlPlaneView, removed: MachineView | undefined): Preflight | undefined {
  const topologyVersion = pendingTopologyVersion(view);
  if (topologyVersion !== undefined) {
    const message = `Waiting for a version upgrade to ${topologyVersion} to be propagated`;
    const reason = 'WaitingForTopologyVersion' as const;
    return { findings: { topologyVersion }, wait: { type: 'wait', ms: preflightRetryMs, reason, message } };
  }
  if (removed === undefined && !isConditionTrue(view.controlPlane, kubeadmConditions.certificatesAvailable)) {
    const message = "Certificates are missing or unknown, can't join a new machine";
    const reason = 'WaitingForCertificates' as const;
    return { findings: { certificatesMissing: true }, wait: { type: 'wait', ms: preflightRetryMs, reason, message } };
  }
  const deleting = view.machines.filter(({ machine }) => isDeleting(machine)).map(({ machine }) => nameOf(machine));
  if (deleting.length === 0) return undefined;
  const message = `Waiting for machines to be deleted: ${deleting.join(', ')}`;
  const reason = 'WaitingForMachineDeletion' as const;
  return { findings: { deletingMachine: true }, wait: { type: 'wait', ms: deletionRetryMs, reason, message } };
}

interface HealthFindings {
  readonly findings: PreflightFindings;
  readonly failures: readonly string[];
}

function checkHealth(view: ControlPlaneView, removed: MachineView | undefined): Preflight {
  const machines = fullHealth(view, removed);
  let health = machines.failures.length > 0 ? machines : etcdTargetHealth(view, removed);
  const remediating = view.controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress];
  // A machine was deleted for remediation. Requiring full health now would prevent the creation of its replacement.
  if (health.failures.length > 0 && removed === undefined && remediating !== undefined)
    health = healthForReplacement(view);
  if (health.failures.length === 0) return { findings: {} };
  const failures = health.failures.length === 1 ? health.failures[0] : `[${health.failures.join(', ')}]`;
  const message = `Waiting for control plane to pass preflight checks to continue reconciliation: ${failures}`;
  return {
    findings: health.findings,
    wait: { type: 'wait', ms: preflightRetryMs, reason: 'WaitingForControlPlaneHealth', message },
    warning: message,
  };
}

function joinFindings(parts: readonly HealthFindings[]): HealthFindings {
  return {
    findings: Object.assign({}, ...parts.map(({ findings }) => findings)) as PreflightFindings,
    failures: parts.flatMap(({ failures }) => failures),
  };
}

function fullHealth(view: ControlPlaneView, removed: MachineView | undefined): HealthFindings {
  const managed = isEtcdManaged(view.controlPlane);
  return joinFindings(view.machines.filter((each) => each !== removed).map((each) => machineHealth(each, managed)));
}

function machineHealth({ machine }: MachineView, managed: boolean): HealthFindings {
  const name = nameOf(machine);
  if (nodeOf(machine) === undefined)
    return {
      findings: { componentsUnhealthy: true, ...(managed && { etcdUnhealthy: true }) },
      failures: [`Machine ${name} does not have a corresponding Node yet (Machine.status.nodeRef not set)`],
    };
  const parts = componentConditions(managed).flatMap((type): HealthFindings[] => {
    const failure = conditionFailure({ machine }, type);
    if (failure === undefined) return [];
    const isMember = type === controlPlaneMachineConditions.etcdMemberHealthy;
    return [{ findings: isMember ? { etcdUnhealthy: true } : { componentsUnhealthy: true }, failures: [failure] }];
  });
  return joinFindings(parts);
}

function conditionFailure({ machine }: Pick<MachineView, 'machine'>, type: string): string | undefined {
  const condition = getCondition(machine, type);
  if (condition === undefined) return `Machine ${nameOf(machine)} does not have ${type} condition`;
  if (condition.status === 'True') return undefined;
  const status = condition.status === 'False' ? 'false' : 'unknown';
  return `Machine ${nameOf(machine)} reports ${type} condition is ${status} (${condition.message})`;
}

/**
 * Returns the health of etcd after the change. Includes starting members, and members without a machine, which no Machine
 * reports.
 */
function etcdTargetHealth(view: ControlPlaneView, removed: MachineView | undefined): HealthFindings {
  if (!isEtcdManaged(view.controlPlane) || !isInitialized(view.controlPlane)) return { findings: {}, failures: [] };
  if (view.etcd === undefined || view.etcd.members.length === 0)
    return {
      findings: { etcdUnhealthy: true },
      failures: [
        `cannot check etcd cluster health before scale ${removed === undefined ? 'up' : 'down'}, etcd member list is empty`,
      ],
    };
  const isSafe = removed === undefined ? isEtcdSafe(view, { add: true }) : isEtcdSafeWithout(view, removed);
  if (isSafe) return { findings: {}, failures: [] };
  const what =
    removed === undefined
      ? 'adding a new control plane Machine'
      : `removing control plane Machine ${nameOf(removed.machine)}`;
  return {
    findings: { etcdUnhealthy: true },
    failures: [`${what} can lead to etcd quorum loss. Please check the etcd status`],
  };
}

function healthForReplacement(view: ControlPlaneView): HealthFindings {
  const components: HealthFindings = hasHealthyControlPlaneWithout(view, undefined)
    ? { findings: {}, failures: [] }
    : {
        findings: { componentsUnhealthy: true },
        failures: [
          'cannot add a new control plane Machine when there are no control plane Machines with all Kubernetes control plane components in healthy state. Please check Kubernetes control plane component status',
        ],
      };
  return joinFindings([components, etcdTargetHealth(view, undefined)]);
}
