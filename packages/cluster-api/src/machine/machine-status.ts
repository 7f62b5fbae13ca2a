import { formatTime, type Frozen } from '@slipway/kube';
import {
  edit,
  getCondition,
  isConditionTrue,
  type NewCondition,
  type Summaries,
  withConditions,
} from '@slipway/runtime';
import {
  type Machine,
  type MachineDeployment,
  machineReasons,
  type MachineSet,
  reasons,
  revisionAnnotations,
} from '../api/index.js';
import { contractOf, infrastructureMachine, providerCondition, type ProviderState } from '../contract/index.js';
import {
  bootstrapCondition,
  isDeleting,
  isUpdatingInPlace,
  type ObservedMachine,
  upToDateMessages,
} from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import {
  type ClusterHealth,
  isPaused,
  pausedCondition,
  setV1beta1Summary,
  type V1beta1Target,
} from '../toolkit/index.js';
import { nodeConditions, nodeConditionsDueMs, type NodeObservation } from './node-conditions.js';
import { availableCondition, readyCondition } from './ready-condition.js';

/** The conditions owned by this controller. */
export const ownedConditions: readonly string[] = [
  'Paused',
  'Available',
  'Ready',
  'UpToDate',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'NodeReady',
  'NodeHealthy',
  'Deleting',
  'Updating',
  'BootstrapReady',
  'DrainingSucceeded',
];

/** The parts of the status that sum up the provider objects. */
export const summaries: Summaries = {
  conditions: [],
  messages: ['Ready', 'InfrastructureReady', 'BootstrapConfigReady', 'BootstrapReady'],
};

export interface MachineStatusInput {
  readonly machine: ObservedMachine;
  readonly cluster: ObservedCluster | undefined;
  readonly machineSet: Frozen<MachineSet> | undefined;
  readonly machineDeployment: Frozen<MachineDeployment> | undefined;
  readonly bootstrap: ProviderState;
  readonly infrastructure: ProviderState;
  readonly node: NodeObservation;
  readonly health: ClusterHealth;
  readonly remoteConditionsGraceMs: number;
  readonly deleting: { readonly reason: string; readonly message: string };
  readonly updating?: { readonly reason: string; readonly message: string };
  readonly nowMs: number;
}

export interface MachineStatusResult {
  readonly machine: ObservedMachine;
  /** Time until a condition changes without an event, in milliseconds. */
  readonly dueMs: number | undefined;
}

/** Returns the Machine with its new status: all conditions, the phase, and the deprecated summary. */
export function machineStatus(input: MachineStatusInput): MachineStatusResult {
  const { nowMs } = input;
  let machine = withConditions(input.machine, baseConditions(input), nowMs);
  const upToDate = upToDateCondition(machine, input.machineSet, input.machineDeployment, nowMs);
  if (upToDate !== undefined) machine = withConditions(machine, [upToDate], nowMs);
  machine = withConditions(machine, [readyCondition(machine, nowMs)], nowMs);
  const available = availableCondition(machine, nowMs);
  machine = withConditions(machine, [available.condition], nowMs);
  machine = edit(machine, (draft) => {
    draft.status ??= {};
    const phase = machinePhase(machine);
    if (phase !== draft.status.phase) {
      draft.status.phase = phase;
      draft.status.lastUpdated = formatTime(nowMs);
    }
    summarizeV1beta1(draft as V1beta1Target, machine, nowMs);
  });
  return { machine, dueMs: earliest(available.dueMs, nodeConditionsDueMs(nodeInput(input))) };
}

function baseConditions(input: MachineStatusInput): NewCondition[] {
  const { machine, cluster } = input;
  return [
    bootstrapCondition(machine, machine.spec.bootstrap.configRef, input.bootstrap),
    infrastructureCondition(input),
    ...nodeConditions(nodeInput(input)),
    deletingCondition(input),
    updatingCondition(input),
    ...(isPaused(machine, cluster) ? [] : [pausedCondition(machine, cluster)]),
  ];
}

function nodeInput(input: MachineStatusInput): Parameters<typeof nodeConditions>[0] {
  const { machine, cluster, node, health, remoteConditionsGraceMs, nowMs } = input;
  const initialized = cluster && getCondition(cluster, 'ControlPlaneInitialized');
  return {
    machine,
    node,
    health,
    remoteConditionsGraceMs,
    nowMs,
    infrastructureProvisioned: cluster?.status?.initialization?.infrastructureProvisioned === true,
    controlPlaneInitializedAt: initialized?.status === 'True' ? initialized.lastTransitionTime : undefined,
  };
}

function infrastructureCondition({ machine, infrastructure }: MachineStatusInput): NewCondition {
  return providerCondition({
    type: 'InfrastructureReady',
    source: 'Ready',
    kind: machine.spec.infrastructureRef.kind,
    state: infrastructure,
    achieved: machine.status?.initialization?.infrastructureProvisioned === true,
    flagPath: infrastructureMachine.provisionedPath(contractOf(infrastructure)),
    isDeleting: isDeleting(machine),
    needsIt: 'Machine',
  });
}

function deletingCondition({ machine, deleting }: MachineStatusInput): NewCondition {
  if (!isDeleting(machine)) return { type: 'Deleting', status: 'False', reason: reasons.notDeleting };
  return { type: 'Deleting', status: 'True', ...deleting };
}

function updatingCondition({ machine, updating }: MachineStatusInput): NewCondition {
  const type = 'Updating';
  if (!isUpdatingInPlace(machine)) return { type, status: 'False', reason: machineReasons.notUpdating };
  const inProgress = { reason: machineReasons.inPlaceUpdating, message: 'In-place update in progress' };
  return { type, status: 'True', ...(updating ?? inProgress) };
}

type Phase = NonNullable<NonNullable<Machine['status']>['phase']>;

/** Returns the phase of the Machine from its conditions, which must be set before. */
export function machinePhase(machine: ObservedMachine): Phase {
  const { initialization, nodeRef, phase } = machine.status ?? {};
  if (isDeleting(machine)) return 'Deleting';
  if (isConditionTrue(machine, 'Updating')) return 'Updating';
  if (nodeRef !== undefined && initialization?.infrastructureProvisioned === true) return 'Running';
  if (machine.spec.providerID !== undefined) return 'Provisioned';
  if (initialization?.bootstrapDataSecretCreated === true && initialization.infrastructureProvisioned !== true)
    return 'Provisioning';
  return phase ?? 'Pending';
}

function summarizeV1beta1(target: V1beta1Target, machine: ObservedMachine, nowMs: number): void {
  const isStarting = !isDeleting(machine) && machine.spec.providerID === undefined;
  setV1beta1Summary(
    target,
    {
      types: ['InfrastructureReady', 'BootstrapReady', 'HealthCheckSucceeded', 'OwnerRemediated', 'DrainingSucceeded'],
      ...(isStarting && { steps: ['BootstrapReady', 'InfrastructureReady'] }),
    },
    nowMs,
  );
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

type ObservedSet = Frozen<MachineSet>;
type ObservedDeployment = Frozen<MachineDeployment>;

/**
 * Returns the UpToDate condition of a worker machine, which compares templates in the same way as its MachineDeployment. The
 * control plane reports the condition of its own machines, and stand-alone machines have none.
 */
export function upToDateCondition(
  machine: ObservedMachine,
  set: ObservedSet | undefined,
  deployment: ObservedDeployment | undefined,
  nowMs: number,
): NewCondition | undefined {
  if (set === undefined || deployment === undefined) return undefined;
  const type = 'UpToDate';
  const outdated = upToDateMessages(deployment, set, nowMs);
  if (outdated.length > 0) return { type, status: 'False', reason: reasons.notUpToDate, message: outdated.join('\n') };
  const updating = getCondition(machine, 'Updating');
  if (updating?.status === 'True') {
    const message = `* ${updating.message === '' ? 'In-place update in progress' : updating.message}`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  const kubelet = machine.status?.nodeInfo?.kubeletVersion ?? '';
  if (kubelet !== '' && kubelet !== machine.spec.version) {
    const message = `* Node.status.nodeInfo.kubeletVersion ${kubelet}, ${machine.spec.version ?? ''} required`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  return { type, status: 'True', reason: reasons.upToDate };
}

/** Whether the MachineSet of a machine has an older revision than its MachineDeployment. */
export function isOutdated(set: ObservedSet | undefined, deployment: ObservedDeployment | undefined): boolean {
  if (set === undefined || deployment === undefined) return false;
  return revisionOf(set) < revisionOf(deployment);
}

function revisionOf(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): number {
  const revision = Number(object.metadata.annotations?.[revisionAnnotations.revision] ?? '0');
  return Number.isSafeInteger(revision) ? revision : 0;
}
