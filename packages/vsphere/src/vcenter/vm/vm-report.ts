import {
  type ConditionSeverity,
  pausedCondition,
  type Pausing,
  reasonByWorst,
  reasons,
  setV1beta1Condition,
  setV1beta1Summary,
  summaryCondition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type Conditioned,
  type ConditionTarget,
  deleteCondition,
  edit,
  getCondition,
  type ReconcileContext,
  setCondition,
} from '@slipway/runtime';
import { vsphereConditions, vsphereV1Beta1Conditions, vsphereVms, type VSphereVm } from '../../api/index.js';
import type { ObservedVm } from './vm-spec.js';

const {
  ready,
  vcenterAvailable,
  virtualMachineProvisioned,
  addressClaimsFulfilled,
  guestSoftPowerOffSucceeded,
  pciDevicesDetached,
} = vsphereConditions;
const { vmProvisioned, addressClaimed } = vsphereV1Beta1Conditions;

const ownedConditions = [
  'Paused',
  ready,
  vcenterAvailable,
  virtualMachineProvisioned,
  addressClaimsFulfilled,
  guestSoftPowerOffSucceeded,
  pciDevicesDetached,
  vmProvisioned,
  addressClaimed,
];

/** Reason and severity of the deprecated condition by reason of VirtualMachineProvisioned, for reasons that differ. */
const oldProvisioned: Readonly<Record<string, readonly [string, ConditionSeverity]>> = {
  WaitingForClone: ['Cloning', 'Info'],
  TaskFailed: ['TaskFailure', 'Info'],
  NotProvisioned: ['CloningFailed', 'Warning'],
  NotFoundByBIOSUUID: ['NotFoundByBIOSUUID', 'Warning'],
};
const oldClaims: Readonly<Record<string, readonly [string, ConditionSeverity]>> = {
  NotFulfilled: ['IPAddressClaimNotFound', 'Error'],
};
const oldPowerOff: Readonly<Record<string, readonly [string, ConditionSeverity]>> = {
  InProgress: ['GuestSoftPowerOffInProgress', 'Info'],
  Failed: ['GuestSoftPowerOffFailed', 'Warning'],
};

export interface State {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  /** Overrides reason and severity of the deprecated condition. */
  readonly old?: readonly [string, ConditionSeverity];
}

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

/**
 * The results of one reconcile of a VSphereVM. They are written at its end, or immediately if a crash would otherwise
 * lose them.
 */
export class VmReport {
  #before: ObservedVm;
  #after: ObservedVm;

  constructor(
    vm: ObservedVm,
    private readonly context: ReconcileContext,
    /** The Cluster of the VSphereVM, for the Paused condition. */
    private readonly cluster?: Pausing,
  ) {
    this.#before = vm;
    this.#after = vm;
  }

  /** The VSphereVM with the results so far. */
  get vm(): ObservedVm {
    return this.#after;
  }

  edit(recipe: (draft: Thawed<Frozen<VSphereVm>>) => void): void {
    this.#after = edit(this.#after, recipe);
  }

  editStatus(recipe: (status: NonNullable<Thawed<Frozen<VSphereVm>>['status']>) => void): void {
    this.edit((draft) => {
      draft.status ??= {};
      recipe(draft.status);
    });
  }

  provisioned(state: State): void {
    this.#set(virtualMachineProvisioned, vmProvisioned, state, oldProvisioned);
  }

  /** Whether VirtualMachineProvisioned is set. If it is, WaitingForClone is not reported, so that the condition does not flap. */
  get hasProvisionedCondition(): boolean {
    return getCondition(this.#after as Conditioned, virtualMachineProvisioned) !== undefined;
  }

  vcenter(state: State): void {
    this.#set(vcenterAvailable, vcenterAvailable, state, { VCenterUnreachable: ['VCenterUnreachable', 'Error'] });
  }

  claims(state: State): void {
    this.#set(addressClaimsFulfilled, addressClaimed, state, oldClaims);
  }

  softPowerOff(state: State): void {
    this.#set(guestSoftPowerOffSucceeded, guestSoftPowerOffSucceeded, state, oldPowerOff);
  }

  pciDevices(missing: boolean): void {
    if (missing) {
      const state: State = {
        status: 'False',
        reason: 'NotFound',
        message: 'PCI devices of the spec are missing from the VM',
      };
      this.#set(pciDevicesDetached, pciDevicesDetached, state, { NotFound: ['NotFound', 'Warning'] });
      return;
    }
    this.edit((draft) => {
      deleteCondition(draft as ConditionTarget, pciDevicesDetached);
      const old = draft.status?.deprecated?.v1beta1;
      const kept = old?.conditions?.filter(({ type }) => type !== pciDevicesDetached);
      if (old !== undefined && kept?.length !== old.conditions?.length) old.conditions = kept;
    });
  }

  /** Patches the object with the results. */
  async write(): Promise<void> {
    const nowMs = this.context.clock.now();
    this.edit((draft) => {
      const summary = summaryCondition(draft as Conditioned, ready, {
        types: [vcenterAvailable, virtualMachineProvisioned, addressClaimsFulfilled],
        ignoreIfMissing: [vcenterAvailable, addressClaimsFulfilled],
        strategy: { reasonOf },
      });
      setCondition(draft as ConditionTarget, summary, nowMs);
      setCondition(draft as ConditionTarget, pausedCondition(this.#before, this.cluster), nowMs);
      setV1beta1Summary(draft as V1beta1Target, { types: [vcenterAvailable, addressClaimed, vmProvisioned] }, nowMs);
    });
    if (this.#after === this.#before) return;
    const condition = getCondition(this.#after as Conditioned, ready);
    const written = await this.context.change({
      verb: 'patch',
      resource: vsphereVms,
      before: this.#before,
      after: this.#after,
      ownedConditions,
      reason: condition?.reason ?? reasons.notReady,
      message: condition?.message || `Ready is ${condition?.status ?? 'Unknown'}`,
    });
    this.#before = written;
    this.#after = written;
  }

  #set(
    type: string,
    oldType: string,
    { status, reason, message = '', old }: State,
    oldReasons: Readonly<Record<string, readonly [string, ConditionSeverity]>>,
  ): void {
    const nowMs = this.context.clock.now();
    const [oldReason, severity] = old ?? oldReasons[reason] ?? [reason, 'Info'];
    this.edit((draft) => {
      setCondition(draft as ConditionTarget, { type, status, reason, message }, nowMs);
      const oldState = status === 'True' ? { status } : { status, reason: oldReason, severity, message };
      setV1beta1Condition(draft as V1beta1Target, { type: oldType, ...oldState }, nowMs);
    });
  }
}
