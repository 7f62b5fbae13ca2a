import { markFalse, markTrue, reasons, type V1beta1Target } from '@slipway/cluster-api';
import { type Frozen, parseTime } from '@slipway/kube';
import type { ReportedCondition, ReportedTypes } from '@slipway/provider-kit';
import { type Conditioned, getCondition } from '@slipway/runtime';
import { devConditions, type DevMachine } from '../api/index.js';

const { vmProvisioned, nodeProvisioned, etcdProvisioned, apiServerProvisioned } = devConditions;
const workerTypes = [vmProvisioned, nodeProvisioned];
const controlPlaneTypes: readonly string[] = [...workerTypes, etcdProvisioned, apiServerProvisioned];

/** Returns the condition types of a machine, which depend on the software that runs on it. */
export function startupTypes(isControlPlane: boolean): ReportedTypes {
  return { provisioned: vmProvisioned, ready: isControlPlane ? controlPlaneTypes : workerTypes };
}

/** Collects the progress that a reconcile observed on a machine. */
export class StartupReport {
  readonly #conditions = new Map<string, ReportedCondition>();

  constructor(
    private readonly machine: Frozen<DevMachine>,
    private readonly nowMs: number,
  ) {}

  get conditions(): readonly ReportedCondition[] {
    return [...this.#conditions.values()];
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

  /** Returns the time at which the step was completed. */
  since(type: string): number {
    const current = this.#current(type);
    return current?.status === 'True' ? parseTime(current.lastTransitionTime) : this.nowMs;
  }

  #current(type: string): ReturnType<typeof getCondition> {
    return getCondition(this.machine as Conditioned, type);
  }
}

/** Reasons that are different in the deprecated conditions. */
const v1beta1Reasons: ReadonlyMap<string, string> = new Map([
  [reasons.waitingForClusterInfrastructureReady, 'WaitingForClusterInfrastructure'],
  [reasons.waitingForControlPlaneInitialized, 'WaitingControlPlaneInitialized'],
]);

/** Sets the deprecated conditions. Their Ready equals the first condition that is False. */
export function mirrorConditions(draft: object, reported: readonly ReportedCondition[], nowMs: number): void {
  const target = draft as V1beta1Target;
  const ours = reported.filter(({ type }) => controlPlaneTypes.includes(type));
  for (const condition of ours) mirror(target, condition, nowMs);
  const open = controlPlaneTypes
    .map((type) => ours.find((condition) => condition.type === type))
    .find((condition) => condition?.status === 'False');
  if (open !== undefined) mirror(target, { ...open, type: 'Ready' }, nowMs);
  else if (getCondition(draft as Conditioned, 'Ready')?.status === 'True') markTrue(target, 'Ready', nowMs);
}

function mirror(target: V1beta1Target, { type, status, reason, message = '' }: ReportedCondition, nowMs: number): void {
  if (status === 'True') markTrue(target, type, nowMs);
  else markFalse(target, type, { reason: v1beta1Reasons.get(reason) ?? reason, severity: 'Info', message }, nowMs);
}
