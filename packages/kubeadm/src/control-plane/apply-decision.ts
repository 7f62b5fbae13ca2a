import { machines, type ObservedMachine } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import {
  type ConditionTarget,
  deleteCondition,
  done,
  edit,
  type Outcome,
  patchObject,
  ReconcileError,
  setCondition,
  setV1beta1Condition,
  type V1beta1Target,
  wait,
} from '@slipway/runtime';
import { controlPlaneAnnotations } from '../api/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import type { ControlPlaneDecision, ControlPlanePlan, LeadershipMove, RemediationNote } from './control-plane-plan.js';
import { createMachine } from './create-machine.js';
import { maintainCluster } from './maintain-cluster.js';
import { formatRemediationData } from './remediation-data.js';

const afterMemberRemovalMs = 1_000;

type Decision<Type extends ControlPlaneDecision['type']> = Extract<ControlPlaneDecision, { type: Type }>;

/** Carries out what was planned: the only place where a control plane is changed. */
export async function applyControlPlanePlan(pass: ControlPlanePass, plan: ControlPlanePlan): Promise<Outcome> {
  pass.preflight = plan.preflight;
  if (plan.dropRemediationInProgress) removeRemediationInProgress(pass);
  if (plan.warning !== undefined) tell(pass, 'Warning', 'ControlPlaneUnhealthy', plan.warning);
  for (const note of plan.notes) if (note.machine !== remediatedBy(plan)) await writeNote(pass, note);
  const { decision } = plan;
  switch (decision.type) {
    case 'createFirst':
    case 'create':
      return create(pass, decision);
    case 'delete':
      return remove(pass, decision);
    case 'remediate':
      return remediate(pass, decision, plan.notes);
    case 'release':
      return release(pass, decision);
    case 'removeMember':
      return removeMember(pass, decision);
    case 'wait':
      return wait(decision);
    case 'maintain':
      return maintainCluster(pass);
  }
}

function remediatedBy({ decision }: ControlPlanePlan): string | undefined {
  return decision.type === 'remediate' ? decision.machine : undefined;
}

function tell(pass: ControlPlanePass, type: 'Normal' | 'Warning', reason: string, message: string): void {
  pass.context.events.record(pass.original, { type, reason, action: 'Reconcile', message });
}

function removeRemediationInProgress(pass: ControlPlanePass): void {
  pass.update(({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.remediationInProgress];
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function create(pass: ControlPlanePass, decision: Decision<'create' | 'createFirst'>): Promise<Outcome> {
  const isFirst = decision.type === 'createFirst';
  const cluster = `${pass.clusterKey.namespace}/${pass.clusterKey.name}`;
  if (isFirst) pass.mark({ type: 'Available', status: 'False', reason: 'WaitingForKubeadmInit', severity: 'Info' });
  if (decision.reason === 'RollingOut') await prepareRollout(pass);
  try {
    const name = await createMachine(pass, isFirst ? 'init' : 'join', decision.failureDomain);
    pass.context.logger.info({ Machine: name, reason: decision.reason }, 'Machine created');
  } catch (error) {
    const [reason, message] = isFirst
      ? ['FailedInitialization', `Failed to create initial control plane Machine for cluster ${cluster} control plane`]
      : ['FailedScaleUp', `Failed to create additional control plane Machine for cluster ${cluster}`];
    tell(pass, 'Warning', reason, `${message}: ${textOf(error)}`);
    throw error;
  }
  return done();
}

/** What kubeadm reads in the workload cluster when a machine of the new shape joins. */
async function prepareRollout(pass: ControlPlanePass): Promise<void> {
  const workload = await pass.workload();
  const { signal } = pass.context;
  await workload.ensurePermissions(pass.controlPlane, { signal });
  await workload.updateKubeadmConfig(pass.controlPlane, { signal });
}

async function remove(pass: ControlPlanePass, decision: Decision<'delete'>): Promise<Outcome> {
  if (decision.reason === 'RollingOut') await prepareRollout(pass);
  await moveLeadership(pass, decision.leadership);
  try {
    await deleteMachine(pass, decision.machine);
  } catch (error) {
    const cluster = `${pass.clusterKey.namespace}/${pass.clusterKey.name}`;
    const message = `Failed to delete control plane Machine ${decision.machine} for cluster ${cluster} control plane`;
    tell(pass, 'Warning', 'FailedScaleDown', `${message}: ${textOf(error)}`);
    throw error;
  }
  pass.context.logger.info({ Machine: decision.machine, reason: decision.reason }, 'Machine is deleting');
  return done();
}

async function deleteMachine({ context, clusterKey }: ControlPlanePass, name: string): Promise<void> {
  try {
    await context.client.delete(machines, { namespace: clusterKey.namespace, name }, { signal: context.signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

async function moveLeadership(pass: ControlPlanePass, move: LeadershipMove | undefined): Promise<void> {
  if (move === undefined) return;
  const workload = await pass.workload();
  const { logger, signal } = pass.context;
  let cause: unknown;
  for (const candidate of move.candidates) {
    try {
      pass.context.check();
      await workload.forwardEtcdLeadership(move.from, candidate, { signal });
      logger.info({ from: move.from, to: candidate }, 'Moved etcd leadership');
      return;
    } catch (error) {
      cause = error;
      logger.warn({ from: move.from, to: candidate, err: error }, 'Moving etcd leadership failed');
    }
  }
  throw new ReconcileError('EtcdLeadership', 'failed to move etcd leadership', { retry: 'later', cause });
}

/** The condition stands before the deletion begins, or a machine that goes quickly would never have said why. */
async function remediate(
  pass: ControlPlanePass,
  decision: Decision<'remediate'>,
  notes: readonly RemediationNote[],
): Promise<Outcome> {
  const note = notes.find(({ machine }) => machine === decision.machine);
  try {
    await moveLeadership(pass, decision.leadership);
  } catch (error) {
    const condition = { type: 'OwnerRemediated', status: 'False', reason: 'CannotBeRemediated' } as const;
    await writeNote(pass, { machine: decision.machine, condition: { ...condition, message: textOf(error) } });
    throw error;
  }
  if (note !== undefined) await writeNote(pass, note);
  await deleteMachine(pass, decision.machine);
  pass.context.logger.info({ Machine: decision.machine, reason: decision.reason }, 'Machine is deleting');
  pass.update(({ metadata }) => {
    metadata.annotations = {
      ...metadata.annotations,
      [controlPlaneAnnotations.remediationInProgress]: formatRemediationData(decision.data),
    };
  });
  return done();
}

async function release(pass: ControlPlanePass, decision: Decision<'release'>): Promise<Outcome> {
  await moveLeadership(pass, decision.leadership);
  if (decision.member !== undefined) {
    const workload = await pass.workload();
    pass.context.check();
    await workload.removeEtcdMember(decision.member, pass.nodes, { signal: pass.context.signal });
  }
  const view = pass.machineView(decision.machine);
  if (view !== undefined) await removeHook(pass, view.machine);
  return wait({
    reason: 'WaitingForMachineDeletion',
    message: `Waiting for Machine ${decision.machine} to be deleted`,
  });
}

/** From here on nothing of ours holds the machine's deletion. */
export async function removeHook({ context }: ControlPlanePass, machine: ObservedMachine): Promise<ObservedMachine> {
  const { client, signal } = context;
  const after = edit(machine, ({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.preTerminateCleanup];
  });
  return patchObject(client, machines, machine, after, { signal });
}

async function removeMember(pass: ControlPlanePass, { member, message }: Decision<'removeMember'>): Promise<Outcome> {
  const workload = await pass.workload();
  pass.context.check();
  await workload.removeEtcdMember(member, pass.nodes, { signal: pass.context.signal });
  pass.context.logger.info({ member: member.name, reason: 'UnexpectedMember' }, 'Removed etcd member');
  // Nobody tells when etcd has changed.
  return wait({ ms: afterMemberRemovalMs, reason: 'UnexpectedMember', message });
}

const owned = { ownedConditions: ['OwnerRemediated'] };

async function writeNote(pass: ControlPlanePass, { machine: name, condition }: RemediationNote): Promise<void> {
  const machine = pass.machineView(name)?.machine;
  if (machine === undefined) return;
  const { client, signal } = pass.context;
  const after = edit(machine, (draft) => {
    if (condition === undefined) {
      deleteCondition(draft as ConditionTarget, 'OwnerRemediated');
      const deprecated = draft.status?.deprecated?.v1beta1;
      if (deprecated?.conditions !== undefined)
        deprecated.conditions = deprecated.conditions.filter(({ type }) => type !== 'OwnerRemediated');
      return;
    }
    setCondition(draft as ConditionTarget, condition, pass.nowMs);
    const { reason, message = '' } = condition;
    const mirrored = reason === 'MachineDeleting' ? 'RemediationInProgress' : 'WaitingForRemediation';
    const text = reason === 'MachineDeleting' ? '' : message;
    const deprecated = { type: 'OwnerRemediated', status: 'False', reason: mirrored, severity: 'Warning' } as const;
    setV1beta1Condition(draft as V1beta1Target, { ...deprecated, ...(text !== '' && { message: text }) }, pass.nowMs);
  });
  if (after === machine) return;
  pass.replaceMachine(await patchObject(client, machines, machine, after, { ...owned, signal }));
}
