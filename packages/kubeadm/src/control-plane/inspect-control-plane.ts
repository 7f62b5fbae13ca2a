import {
  internalErrorMessage,
  isDeleting,
  isOwnerToRemediate,
  machines,
  nameOf,
  type ObservedMachine,
  reasons,
} from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import {
  ClusterDisconnected,
  type ConditionTarget,
  edit,
  isConditionTrue,
  patchObject,
  setCondition,
  setV1beta1Condition,
  type V1beta1Target,
} from '@slipway/runtime';
import { controlPlaneMachineConditions, kubeadmConditions } from '../api/index.js';
import { type ConditionsToSet, controlPlaneHealth } from '../workload/index.js';
import { isEtcdManaged, isInitialized, nodeOf } from './control-plane.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import { upToDateCondition } from './up-to-date-condition.js';
import { unknownHealth } from './unknown-health.js';

const ownedMachineConditions = ['UpToDate', ...Object.values(controlPlaneMachineConditions)];

/**
 * Notices once that kubeadm has started the cluster. Not while the only machine is to be replaced: the next one would try to
 * join a cluster whose only member has gone.
 */
export async function detectInitialized(pass: ControlPlanePass): Promise<void> {
  const [first, ...others] = pass.observedMachines;
  if (isInitialized(pass.controlPlane) || first === undefined) return;
  if (others.length === 0 && (isOwnerToRemediate(first) || isDeleting(first))) return;
  if (!pass.observedMachines.some(isRunning)) return;
  const workload = await connected(pass);
  if (workload === undefined || !(await workload.hasKubeadmConfig({ signal: pass.context.signal }))) return;
  pass.update((draft) => {
    draft.status ??= {};
    draft.status.initialization = { ...draft.status.initialization, controlPlaneInitialized: true };
  });
  pass.setConditions({ type: kubeadmConditions.initialized, status: 'True', reason: 'Initialized' });
}

/** Before there is a machine nobody can answer, and every attempt in vain puts off the next one. */
function isRunning({ spec, status }: ObservedMachine): boolean {
  return status?.initialization?.infrastructureProvisioned === true || (spec.providerID ?? '') !== '';
}

async function connected(
  pass: ControlPlanePass,
): Promise<Awaited<ReturnType<ControlPlanePass['workload']>> | undefined> {
  try {
    return await pass.workload();
  } catch (error) {
    if (error instanceof ClusterDisconnected) return undefined;
    throw error;
  }
}

/** Looks into the workload cluster, and writes on every machine how it is. Throws when nothing could be seen. */
export async function inspectControlPlane(pass: ControlPlanePass): Promise<void> {
  let failure: unknown;
  let found: ReadonlyMap<string, ConditionsToSet>;
  try {
    found = await lookAtHealth(pass);
  } catch (error) {
    failure = error;
    found = healthOfFailure(pass, error);
  }
  await writeMachines(pass, found);
  if (failure !== undefined) throw failure;
}

async function lookAtHealth(pass: ControlPlanePass): Promise<ReadonlyMap<string, ConditionsToSet>> {
  const { controlPlane, observedMachines: all, context } = pass;
  if (!isInitialized(controlPlane) || !isConditionTrue(controlPlane, kubeadmConditions.initialized))
    return setUnknown(pass, reasons.inspectionFailed, 'Waiting for Cluster control plane to be initialized', true);
  const workload = await pass.workload();
  const managed = isEtcdManaged(controlPlane);
  const { signal } = context;
  const observation = await workload.observe(all, { isEtcdManaged: managed, signal });
  pass.observation = observation;
  pass.machines = pass.machines.map((view) => ({ ...view, ...nodeByProviderId(pass, view.machine) }));
  const kubeadmConfigs = new Map(
    pass.machines.flatMap(({ machine, config }) => (config === undefined ? [] : [[nameOf(machine), config] as const])),
  );
  const health = controlPlaneHealth({
    machines: all,
    kubeadmConfigs,
    isEtcdManaged: managed,
    observation,
    nowMs: pass.nowMs,
  });
  pass.health = health;
  pass.setConditions(...health.controlPlane.conditions);
  pass.mark(...health.controlPlane.v1beta1);
  return health.machines;
}

/** A machine that fails early may have a Node, and a member of etcd, before it could tell. */
function nodeByProviderId(pass: ControlPlanePass, machine: ObservedMachine): { readonly nodeName?: string } {
  const { providerID = '' } = machine.spec;
  if (nodeOf(machine) !== undefined || providerID === '') return {};
  const [node, ...others] = pass.nodes.filter(({ spec }) => spec?.providerID === providerID);
  const nodeName = node?.metadata.name;
  return nodeName === undefined || others.length > 0 ? {} : { nodeName };
}

/** What was last seen stands for a while: a connection that is lost says nothing about what it led to. */
function healthOfFailure(pass: ControlPlanePass, error: unknown): ReadonlyMap<string, ConditionsToSet> {
  if (!(error instanceof ClusterDisconnected))
    return setUnknown(pass, reasons.inspectionFailed, internalErrorMessage, true);
  const { message, overwrite } = unknownHealth(pass);
  return setUnknown(pass, reasons.connectionDown, message, overwrite);
}

function setUnknown(
  pass: ControlPlanePass,
  reason: string,
  message: string,
  overwrite: boolean,
): ReadonlyMap<string, ConditionsToSet> {
  const managed = isEtcdManaged(pass.controlPlane);
  const { etcdMemberHealthy, etcdPodHealthy, ...components } = controlPlaneMachineConditions;
  const { etcdClusterHealthy, controlPlaneComponentsHealthy } = kubeadmConditions;
  const machineTypes: string[] = [];
  // Of an external etcd nothing is ever known, so nothing is said.
  if (managed && (overwrite || pass.condition(etcdClusterHealthy) === undefined)) {
    pass.setConditions({ type: etcdClusterHealthy, status: 'Unknown', reason, message });
    machineTypes.push(etcdMemberHealthy);
  }
  if (overwrite || pass.condition(controlPlaneComponentsHealthy) === undefined) {
    pass.setConditions({ type: controlPlaneComponentsHealthy, status: 'Unknown', reason, message });
    machineTypes.push(...Object.values(components), ...(managed ? [etcdPodHealthy] : []));
  }
  const conditions = machineTypes.map((type) => ({ type, status: 'Unknown' as const, reason, message }));
  return new Map(pass.observedMachines.map((machine) => [nameOf(machine), { conditions, v1beta1: [] }]));
}

async function writeMachines(pass: ControlPlanePass, found: ReadonlyMap<string, ConditionsToSet>): Promise<void> {
  const { client, signal } = pass.context;
  await Promise.all(
    pass.machines.map(async (view) => {
      const { machine } = view;
      const { conditions = [], v1beta1 = [] } = found.get(nameOf(machine)) ?? {};
      const after = edit(machine, (draft) => {
        for (const each of [upToDateCondition(view), ...conditions])
          setCondition(draft as ConditionTarget, each, pass.nowMs);
        for (const each of v1beta1) setV1beta1Condition(draft as V1beta1Target, each, pass.nowMs);
      });
      if (after === machine) return;
      try {
        const written = await patchObject(client, machines, machine, after, {
          ownedConditions: ownedMachineConditions,
          signal,
        });
        pass.replaceMachine(written);
      } catch (error) {
        // It went in the meantime; the event of that is on its way.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }),
  );
}
