import { type Machine, reasons } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import {
  type DeletingMachineScope,
  defineInfrastructureMachine,
  type InfrastructureMachine,
  type InfrastructureMachineDefinition,
  type MachineAddress,
  type MachineProgress,
  type MachineScope,
  type RemovalProgress,
  type ReportedCondition,
} from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  done,
  FencedError,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  retry,
} from '@slipway/runtime';
import { vsphereConditions, vsphereFinalizers, vsphereV1Beta1Conditions } from '../api/index.js';
import { mirrorConditions } from '../v1beta1.js';
import { labelWithHost } from './host-label.js';
import { providerIdOf } from './provider-id.js';

const { virtualMachineProvisioned: provisioned } = vsphereConditions;
const { vmProvisioned } = vsphereV1Beta1Conditions;

interface VmFacts<M extends InfrastructureMachine> {
  /** Copies further fields of the VM to the status of the machine. */
  readonly apply?: (draft: Thawed<Frozen<M>>) => void;
}

/** Result while the VM is not ready or not deleted yet: the condition to report, and when to reconcile again. */
export interface VmWaiting<M extends InfrastructureMachine = InfrastructureMachine> extends VmFacts<M> {
  readonly type: 'waiting';
  readonly condition: Omit<ReportedCondition, 'type'>;
  readonly outcome: Outcome;
}

export interface VmReady<M extends InfrastructureMachine = InfrastructureMachine> extends VmFacts<M> {
  readonly type: 'ready';
  /** BIOS UUID as vSphere writes it, without `vsphere://`. */
  readonly biosUuid: string;
  readonly addresses: readonly MachineAddress[];
  /** The ESXi host of the VM. */
  readonly host?: string;
}

export type VmProgress<M extends InfrastructureMachine> = VmWaiting<M> | VmReady<M>;

/** How a mode creates VMs: a VSphereVM that vCenter clones, or a VirtualMachine of a Supervisor. */
export interface VSphereMachineDefinition<M extends InfrastructureMachine>
  extends Pick<
    InfrastructureMachineDefinition<M, KubeObject>,
    'name' | 'resource' | 'watches' | 'waitsForClusterInfrastructure'
  > {
  readonly ensure: (scope: MachineScope<M>) => Promise<VmProgress<M>>;
  /** Deletes the VM. Returns undefined once it is deleted. */
  readonly remove: (scope: DeletingMachineScope<M>) => Promise<VmWaiting<M> | undefined>;
}

export function defineVSphereMachine<M extends InfrastructureMachine>(
  { ensure, remove, ...definition }: VSphereMachineDefinition<M>,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureMachine<M>(
    {
      ...definition,
      finalizer: vsphereFinalizers.vsphereMachine,
      conditions: { provisioned, ready: [provisioned], others: [vmProvisioned] },
      ensure: async (scope) => progressOf(scope, await ensure(scope)),
      remove: async (scope) => removalOf<M>(await remove(scope).catch(removalFailed)),
      describeFailure: (error) => [failedCondition(error, 'VMCreationFailed')],
      mirror: mirrorConditions({ [provisioned]: vmProvisioned }),
    },
    context,
  );
}

async function progressOf<M extends InfrastructureMachine>(
  { context, machine }: MachineScope<M>,
  progress: VmProgress<M>,
): Promise<MachineProgress<M>> {
  const { apply } = progress;
  if (progress.type === 'waiting')
    return { conditions: [{ type: provisioned, ...progress.condition }], apply, outcome: progress.outcome };
  const { biosUuid, addresses, host = '' } = progress;
  return {
    conditions: [{ type: provisioned, status: 'True', reason: reasons.provisioned }],
    machine: { providerID: providerIdOf(biosUuid), addresses },
    apply,
    outcome: host === '' ? done() : await label(context, machine, host),
  };
}

/** Labels the Machine with its ESXi host. A failure is retried, but does not affect provisioning. */
async function label(context: ReconcileContext, machine: Frozen<Machine>, host: string): Promise<Outcome> {
  try {
    await labelWithHost(context, machine, host);
    return done();
  } catch (error) {
    return retryUnlessFenced(error);
  }
}

function retryUnlessFenced(error: unknown): Outcome {
  if (error instanceof FencedError) throw error;
  return retry(errorOf(error));
}

function removalOf<M extends InfrastructureMachine>(left: VmWaiting<M> | undefined): RemovalProgress<M> | undefined {
  if (left === undefined) return undefined;
  const { condition, apply, outcome } = left;
  const { reason, message = '' } = condition;
  return { reason, message, conditions: [{ type: provisioned, ...condition }], apply, outcome };
}

function removalFailed(error: unknown): Omit<VmWaiting, 'apply'> {
  const outcome = retryUnlessFenced(error);
  const condition = { ...failedCondition(error, 'DeletionFailed'), reason: reasons.deleting };
  return { type: 'waiting', condition, outcome };
}

function failedCondition(error: unknown, v1beta1Reason: string): ReportedCondition {
  const { message } = errorOf(error);
  const reason = error instanceof ReconcileError ? error.reason : reasons.notProvisioned;
  const v1beta1 = { reason: v1beta1Reason, severity: 'Warning' } as const;
  return { type: provisioned, status: 'False', reason, message, v1beta1 };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
