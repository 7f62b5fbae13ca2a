import { type Frozen, parseTime } from '@slipway/kube';
import { reasons } from '@slipway/cluster-api';
import {
  type ConditionTarget,
  type Conditioned,
  edit,
  getCondition,
  markFalse,
  markTrue,
  type NewCondition,
  reasonByWorst,
  setCondition,
  summaryCondition,
  type V1beta1Target,
} from '@slipway/runtime';
import { devConditions, type DevMachine } from '../api/index.js';

/** What a pass found out about a machine, to be written at its end in one go. */
export class MachineReport {
  readonly #conditions = new Map<string, NewCondition>();
  readonly #notes: NewCondition[] = [];

  constructor(
    private readonly machine: Frozen<DevMachine>,
    private readonly isControlPlane: boolean,
    private readonly nowMs: number,
  ) {}

  /** A condition that the old style does not have. */
  note(condition: NewCondition): void {
    this.#notes.push(condition);
  }

  provisioned(type: string): void {
    this.#conditions.set(type, { type, status: 'True', reason: reasons.provisioned });
  }

  waits(type: string, reason: string, message = ''): void {
    this.#conditions.set(type, { type, status: 'False', reason, message });
  }

  isProvisioned(type: string): boolean {
    return (this.#conditions.get(type) ?? this.#current(type))?.status === 'True';
  }

  /** Since when it is provisioned. */
  since(type: string): number {
    const current = this.#current(type);
    return current?.status === 'True' ? parseTime(current.lastTransitionTime) : this.nowMs;
  }

  /** The machine with everything that was found out, and the summary of it. */
  applyTo(after: Frozen<DevMachine>): Frozen<DevMachine> {
    return edit(after, (draft) => {
      for (const condition of this.#conditions.values()) {
        setCondition(draft as ConditionTarget, condition, this.nowMs);
        this.#mirror(draft as V1beta1Target, condition);
      }
      for (const condition of this.#notes) setCondition(draft as ConditionTarget, condition, this.nowMs);
      const types = this.#types();
      const ready = summaryCondition(draft as Conditioned, 'Ready', { types, strategy: { reasonOf } });
      setCondition(draft as ConditionTarget, ready, this.nowMs);
      this.#mirrorReady(draft as V1beta1Target, types);
    });
  }

  #types(): readonly string[] {
    const { vmProvisioned, nodeProvisioned, etcdProvisioned, apiServerProvisioned } = devConditions;
    const all = [vmProvisioned, nodeProvisioned];
    return this.isControlPlane ? [...all, etcdProvisioned, apiServerProvisioned] : all;
  }

  #mirror(draft: V1beta1Target, { type, status, reason, message = '' }: NewCondition): void {
    if (status === 'True') markTrue(draft, type, this.nowMs);
    else markFalse(draft, type, { reason: oldReasons.get(reason) ?? reason, severity: 'Info', message }, this.nowMs);
  }

  /** The old style's summary is the first condition that is not true. */
  #mirrorReady(draft: V1beta1Target, types: readonly string[]): void {
    const open = types.map((type) => this.#conditions.get(type)).find((condition) => condition?.status === 'False');
    if (open !== undefined) this.#mirror(draft, { ...open, type: 'Ready' });
    else if (types.every((type) => this.isProvisioned(type))) markTrue(draft, 'Ready', this.nowMs);
  }

  #current(type: string): ReturnType<typeof getCondition> {
    return getCondition(this.machine as Conditioned, type);
  }
}

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

/** Where the old style has another word. */
const oldReasons: ReadonlyMap<string, string> = new Map([
  [reasons.waitingForClusterInfrastructureReady, 'WaitingForClusterInfrastructure'],
  [reasons.waitingForControlPlaneInitialized, 'WaitingControlPlaneInitialized'],
]);
