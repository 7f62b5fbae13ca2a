import { annotations, isDeleting } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import { done, edit, FencedError, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { controlPlaneAnnotations, kubeadmConfigs } from '../api/index.js';
import { type ControlPlaneWorkload, WorkloadError } from '../workload/index.js';
import {
  type ControlPlaneDecision,
  type ControlPlanePlan,
  formatRemediationData,
  isInitialized,
  type MachineView,
  nodeOf,
  type RemediationNote,
} from './control-plane.js';
import { noteChange, removalChanges, type RemovalChanges, type RemovalDecision } from './control-plane-changes.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import { createMachine } from './create-machine.js';

const afterMemberRemovalMs = 1_000;

type Decision<Type extends ControlPlaneDecision['type']> = Extract<ControlPlaneDecision, { readonly type: Type }>;

/** Applies the changes of a plan: the conditions of machines first, then the one structural change. */
export async function carryOutPlan(scope: ControlPlaneScope, plan: ControlPlanePlan): Promise<Outcome> {
  scope.preflight = plan.preflight;
  if (plan.dropRemediationInProgress) removeRemediationInProgress(scope);
  if (plan.warning !== undefined) recordWarning(scope, 'ControlPlaneUnhealthy', plan.warning);
  const { decision } = plan;
  for (const note of plan.notes)
    if (decision.type !== 'remediate' || note.machine !== decision.machine) await writeNote(scope, note);
  switch (decision.type) {
    case 'createFirst':
    case 'create':
      return create(scope, decision);
    case 'delete':
      if (decision.reason === 'RollingOut') await prepareRollout(scope);
      await remove(scope, decision);
      return done();
    case 'remediate':
      return remediate(scope, decision, plan.notes);
    case 'release':
      await remove(scope, decision);
      return wait({
        reason: 'WaitingForMachineDeletion',
        message: `Waiting for Machine ${decision.machine} to be deleted`,
      });
    case 'removeMember':
      await remove(scope, decision);
      // No watch reports changes of etcd.
      return wait({ ms: afterMemberRemovalMs, reason: decision.reason, message: decision.message });
    case 'wait':
      return wait(decision);
    case 'maintain':
      return maintainCluster(scope);
  }
}

function recordWarning(scope: ControlPlaneScope, reason: string, message: string): void {
  scope.context.events.record(scope.original, { type: 'Warning', reason, action: 'Reconcile', message });
}

function removeRemediationInProgress(scope: ControlPlaneScope): void {
  scope.update(({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.remediationInProgress];
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function create(scope: ControlPlaneScope, decision: Decision<'create' | 'createFirst'>): Promise<Outcome> {
  const isFirst = decision.type === 'createFirst';
  const cluster = `${scope.clusterKey.namespace}/${scope.clusterKey.name}`;
  if (isFirst) scope.mark({ type: 'Available', status: 'False', reason: 'WaitingForKubeadmInit', severity: 'Info' });
  if (decision.reason === 'RollingOut') await prepareRollout(scope);
  try {
    await createMachine(scope, decision);
  } catch (error) {
    const [reason, message] = isFirst
      ? ['FailedInitialization', `Failed to create initial control plane Machine for cluster ${cluster} control plane`]
      : ['FailedScaleUp', `Failed to create additional control plane Machine for cluster ${cluster}`];
    recordWarning(scope, reason, `${message}: ${messageOf(error)}`);
    throw error;
  }
  return done();
}

/** Updates the kubeadm configuration in the workload cluster, which machines of the new version read when they join. */
async function prepareRollout(scope: ControlPlaneScope): Promise<void> {
  const workload = await scope.workload();
  await workload.ensurePermissions(scope.controlPlane);
  await workload.updateKubeadmConfig(scope.controlPlane);
}

function changesOf(scope: ControlPlaneScope, decision: RemovalDecision): RemovalChanges {
  const { original: controlPlane, clusterKey: cluster, machines, nodes } = scope;
  return removalChanges(decision, { controlPlane, cluster, machines, nodes, workload: () => scope.workload() });
}

async function remove(scope: ControlPlaneScope, decision: RemovalDecision): Promise<void> {
  const { leadership, changes } = changesOf(scope, decision);
  await moveLeadership(scope, leadership);
  // Connect first: an unreachable workload cluster must be waited for, not recorded as a failed call.
  if (changes.some(({ verb }) => verb === 'call')) await scope.workload();
  await scope.context.changeAll(changes);
}

async function moveLeadership(scope: ControlPlaneScope, candidates: RemovalChanges['leadership']): Promise<void> {
  if (candidates.length === 0) return;
  await scope.workload();
  let cause: unknown;
  for (const candidate of candidates) {
    try {
      return await scope.context.change(candidate);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      cause = error;
      scope.context.logger.warn({ reason: candidate.reason, err: error }, 'Moving etcd leadership failed');
    }
  }
  throw new ReconcileError('EtcdLeadership', 'failed to move etcd leadership', { retry: 'later', cause });
}

/**
 * Deletes a machine for remediation. Writes the condition first, because a machine that is deleted quickly would never report the
 * reason.
 */
async function remediate(
  scope: ControlPlaneScope,
  decision: Decision<'remediate'>,
  notes: readonly RemediationNote[],
): Promise<Outcome> {
  const { machine } = decision;
  const { leadership, changes } = changesOf(scope, decision);
  try {
    await moveLeadership(scope, leadership);
  } catch (error) {
    const condition = { type: 'OwnerRemediated', status: 'False', reason: 'CannotBeRemediated' } as const;
    await writeNote(scope, { machine, condition: { ...condition, message: messageOf(error) } });
    throw error;
  }
  const note = notes.find((each) => each.machine === machine);
  if (note !== undefined) await writeNote(scope, note);
  await scope.context.changeAll(changes);
  scope.update(({ metadata }) => {
    metadata.annotations = {
      ...metadata.annotations,
      [controlPlaneAnnotations.remediationInProgress]: formatRemediationData(decision.data),
    };
  });
  return done();
}

async function writeNote(scope: ControlPlaneScope, note: RemediationNote): Promise<void> {
  const machine = scope.machineView(note.machine)?.machine;
  if (machine === undefined) return;
  scope.replaceMachine(await scope.context.change(noteChange(machine, note, scope.nowMs)));
}

const apiServerPortDefault = 6443;

/** Updates the add-ons of the workload cluster when all machines exist and are up to date. */
async function maintainCluster(scope: ControlPlaneScope): Promise<Outcome> {
  if (!isInitialized(scope.controlPlane)) return done();
  const workload = await scope.workload();
  await workload.updateKubeProxy(scope.controlPlane);
  await workload.updateCoreDns(scope.controlPlane);
  return noteCertificateExpiries(scope, workload);
}

const expiryRetryMs = 60_000;

/**
 * Records when the API server certificates expire. If a server does not present its certificate, the rest continues, and it is
 * queried again later.
 */
async function noteCertificateExpiries(scope: ControlPlaneScope, workload: ControlPlaneWorkload): Promise<Outcome> {
  const failures: string[] = [];
  for (const view of scope.machines) {
    try {
      await noteCertificateExpiry(scope, workload, view);
    } catch (error) {
      if (!(error instanceof WorkloadError)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length === 0) return done();
  const message = failures.join('; ');
  scope.context.logger.warn(
    { reason: 'CertificateExpiryUnknown', failures },
    'Failed to read the expiration of certificates',
  );
  return wait({ ms: expiryRetryMs, reason: 'CertificateExpiryUnknown', message });
}

/**
 * Records when the API server certificate of one machine expires. Queried once, because certificates change only with the
 * machine.
 */
async function noteCertificateExpiry(
  { context }: ControlPlaneScope,
  workload: ControlPlaneWorkload,
  { machine, config }: MachineView,
): Promise<void> {
  const node = nodeOf(machine);
  if (config === undefined || node === undefined || isDeleting(machine)) return;
  if (config.metadata.annotations?.[annotations.certificatesExpiry] !== undefined) return;
  const expiry = formatTime(await workload.apiServerCertificateExpiry(node, apiServerPort(config)));
  const after = edit(config, ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, [annotations.certificatesExpiry]: expiry };
  });
  const cause = { reason: 'CertificatesExpiryRead', message: `Certificates of Node ${node} expire at ${expiry}` };
  await context.change({ verb: 'patch', resource: kubeadmConfigs, before: config, after, ...cause });
}

function apiServerPort({ spec }: NonNullable<MachineView['config']>): number {
  const { initConfiguration, joinConfiguration } = spec ?? {};
  const endpoint = joinConfiguration?.controlPlane?.localAPIEndpoint ?? initConfiguration?.localAPIEndpoint;
  return endpoint?.bindPort ?? apiServerPortDefault;
}
