import {
  ClusterDisconnected,
  internalErrorMessage,
  isDeleting,
  isOwnerToRemediate,
  isUpdatingInPlace,
  machineReasons,
  machines,
  nameOf,
  type ObservedMachine,
  reasons,
  setV1beta1Condition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import { formatTime, isReason, parseTime } from '@slipway/kube';
import {
  type ConditionTarget,
  edit,
  getCondition,
  isConditionTrue,
  type NewCondition,
  setCondition,
} from '@slipway/runtime';
import { controlPlaneMachineConditions, kubeadmConditions } from '../api/index.js';
import { type ConditionsToSet, controlPlaneHealth } from '../workload/index.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import { isEtcdManaged, isInitialized, type MachineView, nodeOf } from './control-plane.js';

const ownedMachineConditions = ['UpToDate', ...Object.values(controlPlaneMachineConditions)];

/**
 * Records once that kubeadm has initialized the cluster. Skipped while the only machine is about to be replaced: the next one
 * would try to join a cluster whose only member no longer exists.
 */
export async function detectInitialized(scope: ControlPlaneScope): Promise<void> {
  const [first, ...others] = scope.observedMachines;
  if (isInitialized(scope.controlPlane) || first === undefined) return;
  if (others.length === 0 && (isOwnerToRemediate(first) || isDeleting(first))) return;
  if (!scope.observedMachines.some(isRunning)) return;
  const workload = await connected(scope);
  if (workload === undefined || !(await workload.hasKubeadmConfig())) return;
  scope.update((draft) => {
    draft.status ??= {};
    draft.status.initialization = { ...draft.status.initialization, controlPlaneInitialized: true };
  });
  scope.setConditions({ type: kubeadmConditions.initialized, status: 'True', reason: 'Initialized' });
}

/** Whether a machine runs. Without one, the workload cluster cannot respond, and each failed attempt delays the next one. */
function isRunning({ spec, status }: ObservedMachine): boolean {
  return status?.initialization?.infrastructureProvisioned === true || (spec.providerID ?? '') !== '';
}

async function connected(
  scope: ControlPlaneScope,
): Promise<Awaited<ReturnType<ControlPlaneScope['workload']>> | undefined> {
  try {
    return await scope.workload();
  } catch (error) {
    if (error instanceof ClusterDisconnected) return undefined;
    throw error;
  }
}

/** Inspects the workload cluster and writes the health of every machine. Throws when nothing could be observed. */
export async function inspectControlPlane(scope: ControlPlaneScope): Promise<void> {
  let failure: unknown;
  let found: ReadonlyMap<string, ConditionsToSet>;
  try {
    found = await observeHealth(scope);
  } catch (error) {
    failure = error;
    found = healthOfFailure(scope, error);
  }
  await writeMachines(scope, found);
  if (failure !== undefined) throw failure;
}

async function observeHealth(scope: ControlPlaneScope): Promise<ReadonlyMap<string, ConditionsToSet>> {
  const { controlPlane, observedMachines: all } = scope;
  if (!isInitialized(controlPlane) || !isConditionTrue(controlPlane, kubeadmConditions.initialized))
    return setUnknown(scope, reasons.inspectionFailed, 'Waiting for Cluster control plane to be initialized', true);
  const workload = await scope.workload();
  const managed = isEtcdManaged(controlPlane);
  const observation = await workload.observe(all, { isEtcdManaged: managed });
  scope.observation = observation;
  scope.machines = scope.machines.map((view) => ({ ...view, ...nodeByProviderId(scope, view.machine) }));
  const kubeadmConfigs = new Map(
    scope.machines.flatMap(({ machine, config }) => (config === undefined ? [] : [[nameOf(machine), config] as const])),
  );
  const health = controlPlaneHealth({
    machines: all,
    kubeadmConfigs,
    isEtcdManaged: managed,
    observation,
    nowMs: scope.nowMs,
  });
  scope.health = health;
  scope.setConditions(...health.controlPlane.conditions);
  scope.mark(...health.controlPlane.v1beta1);
  return health.machines;
}

/** Finds the Node of a machine without a nodeRef. A machine that fails early may still have a Node and an etcd member. */
function nodeByProviderId(scope: ControlPlaneScope, machine: ObservedMachine): { readonly nodeName?: string } {
  const { providerID = '' } = machine.spec;
  if (nodeOf(machine) !== undefined || providerID === '') return {};
  const [node, ...others] = scope.nodes.filter(({ spec }) => spec?.providerID === providerID);
  const nodeName = node?.metadata.name;
  return nodeName === undefined || others.length > 0 ? {} : { nodeName };
}

/**
 * Returns the conditions after a failed observation. The last ones are kept for a grace period, because a lost connection does
 * not mean that machines failed.
 */
function healthOfFailure(scope: ControlPlaneScope, error: unknown): ReadonlyMap<string, ConditionsToSet> {
  if (!(error instanceof ClusterDisconnected))
    return setUnknown(scope, reasons.inspectionFailed, internalErrorMessage, true);
  const { message, overwrite } = unknownHealth(scope);
  return setUnknown(scope, reasons.connectionDown, message, overwrite);
}

function setUnknown(
  scope: ControlPlaneScope,
  reason: string,
  message: string,
  overwrite: boolean,
): ReadonlyMap<string, ConditionsToSet> {
  const managed = isEtcdManaged(scope.controlPlane);
  const { etcdMemberHealthy, etcdPodHealthy, ...components } = controlPlaneMachineConditions;
  const { etcdClusterHealthy, controlPlaneComponentsHealthy } = kubeadmConditions;
  const machineTypes: string[] = [];
  // An external etcd is not observed and has no condition.
  if (managed && (overwrite || scope.condition(etcdClusterHealthy) === undefined)) {
    scope.setConditions({ type: etcdClusterHealthy, status: 'Unknown', reason, message });
    machineTypes.push(etcdMemberHealthy);
  }
  if (overwrite || scope.condition(controlPlaneComponentsHealthy) === undefined) {
    scope.setConditions({ type: controlPlaneComponentsHealthy, status: 'Unknown', reason, message });
    machineTypes.push(...Object.values(components), ...(managed ? [etcdPodHealthy] : []));
  }
  const conditions = machineTypes.map((type) => ({ type, status: 'Unknown' as const, reason, message }));
  return new Map(scope.observedMachines.map((machine) => [nameOf(machine), { conditions, v1beta1: [] }]));
}

async function writeMachines(scope: ControlPlaneScope, found: ReadonlyMap<string, ConditionsToSet>): Promise<void> {
  const cause = { reason: 'HealthObserved', message: 'Updated the control plane conditions' };
  await Promise.all(
    scope.machines.map(async (view) => {
      const { machine } = view;
      const { conditions = [], v1beta1 = [] } = found.get(nameOf(machine)) ?? {};
      const after = edit(machine, (draft) => {
        for (const each of [upToDateCondition(view), ...conditions])
          setCondition(draft as ConditionTarget, each, scope.nowMs);
        for (const each of v1beta1) setV1beta1Condition(draft as V1beta1Target, each, scope.nowMs);
      });
      if (after === machine) return;
      try {
        const change = { verb: 'status', resource: machines, before: machine, after, ...cause } as const;
        scope.replaceMachine(await scope.context.change({ ...change, ownedConditions: ownedMachineConditions }));
      } catch (error) {
        // The machine was deleted after it was read. Its event follows.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }),
  );
}

/** Number of failed connection attempts before the failure is reported. */
const firstFailures = 5;

export interface UnknownHealth {
  readonly message: string;
  /** Whether the last observation is older than the grace period. */
  readonly overwrite: boolean;
  /** The rest of the grace period, in milliseconds. Undefined if it is not running. */
  readonly graceLeftMs?: number;
}

/** Returns the conditions of an unreachable control plane. */
export function unknownHealth(scope: ControlPlaneScope): UnknownHealth {
  const { lastProbeSuccessAt, consecutiveFailures } = scope.dependencies.workloads.health(scope.clusterKey);
  if (lastProbeSuccessAt === undefined && consecutiveFailures < firstFailures)
    return { message: 'Remote connection not established yet', overwrite: false };
  const initialized = scope.condition(kubeadmConditions.initialized);
  const initializedMs = initialized === undefined ? 0 : parseTime(initialized.lastTransitionTime);
  const sinceMs = scope.nowMs - Math.max(lastProbeSuccessAt ?? 0, initializedMs);
  const message = lastProbeSuccessAt === undefined ? '' : `Last successful probe at ${formatTime(lastProbeSuccessAt)}`;
  const graceLeftMs = scope.dependencies.remoteConditionsGraceMs - sinceMs;
  if (graceLeftMs < 0) return { message, overwrite: true };
  return { message, overwrite: false, graceLeftMs: graceLeftMs + 1_000 };
}

/** Returns the UpToDate condition of a machine. The RollingOut condition reports the differences as causes. */
function upToDateCondition({ machine, outdated }: MachineView): NewCondition {
  const type = 'UpToDate';
  if (outdated.length > 0) {
    const message = outdated.map((reason) => `* ${reason}`).join('\n');
    return { type, status: 'False', reason: reasons.notUpToDate, message };
  }
  if (isUpdatingInPlace(machine)) {
    const updating = getCondition(machine, 'Updating');
    const reported =
      updating?.status === 'True' && updating.message !== '' ? updating.message : 'In-place update in progress';
    return { type, status: 'False', reason: machineReasons.updating, message: `* ${reported}` };
  }
  const kubelet = machine.status?.nodeInfo?.kubeletVersion ?? '';
  const version = machine.spec.version ?? '';
  if (kubelet !== '' && kubelet !== version) {
    const message = `* Node.status.nodeInfo.kubeletVersion ${kubelet}, ${version} required`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  return { type, status: 'True', reason: reasons.upToDate };
}
