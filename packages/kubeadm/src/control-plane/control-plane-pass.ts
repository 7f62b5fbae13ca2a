import type { KeySource } from '@slipway/base';
import { type IntentCache, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type ClusterCache,
  type Condition,
  type ConditionTarget,
  edit,
  type NewCondition,
  type Node,
  type ObjectKey,
  type ReconcileContext,
  setCondition,
  setV1beta1Condition,
  type V1beta1Condition,
  type V1beta1Target,
} from '@slipway/runtime';
import {
  type ControlPlaneHealth,
  type ControlPlaneObservation,
  isSilent,
  type WorkloadCluster,
  type WorkloadOpener,
} from '../workload/index.js';
import type { CheckedSecrets } from './checked-secrets.js';
import type { ClusterView, ControlPlaneView, MachineView, ObservedControlPlane } from './control-plane.js';
import type { PreflightFindings } from './control-plane-plan.js';

/** What the controller has beside the context of a run. */
export interface ControlPlaneWorld {
  readonly workloads: ClusterCache;
  readonly keys: KeySource;
  /** What was last applied to whom. */
  readonly intents: IntentCache;
  readonly checkedSecrets: CheckedSecrets;
  /** Opens what can be done in a workload cluster, on a connection to it. */
  readonly openWorkload: WorkloadOpener;
  /** How long conditions that nobody could refresh keep their last value: `--remote-conditions-grace-period`. */
  readonly remoteConditionsGraceMs: number;
}

export type ControlPlaneDraft = Thawed<ObservedControlPlane>;

/** One look at a control plane: what is known, and what is going to be written of it at the end. */
export class ControlPlanePass {
  readonly original: ObservedControlPlane;
  readonly nowMs: number;
  controlPlane: ObservedControlPlane;
  machines: readonly MachineView[] = [];
  observation: ControlPlaneObservation | undefined;
  health: ControlPlaneHealth | undefined;
  preflight: PreflightFindings = {};
  /** Why no machine can be made, as the conditions tell it. */
  creationProblem: string | undefined;
  /** Something could not be looked at: nobody may take the status for all there is to say. */
  isIncomplete = false;
  deletion: { readonly reason: string; readonly message: string } | undefined;
  #workload: Promise<WorkloadCluster> | undefined;

  constructor(
    readonly context: ReconcileContext,
    readonly world: ControlPlaneWorld,
    controlPlane: ObservedControlPlane,
    readonly cluster: ClusterView,
  ) {
    this.original = controlPlane;
    this.controlPlane = controlPlane;
    this.nowMs = context.clock.now();
  }

  get clusterKey(): ObjectKey {
    return { namespace: this.cluster.metadata.namespace ?? '', name: this.cluster.metadata.name ?? '' };
  }

  get view(): ControlPlaneView {
    const { controlPlane, cluster, machines, nowMs } = this;
    const silentNodes = new Set(this.nodes.filter(isSilent).map(nameOf));
    return { controlPlane, cluster, machines, etcd: this.health?.etcd, silentNodes, nowMs };
  }

  /** Of the control plane, in the workload cluster. */
  get nodes(): Frozen<Node>[] {
    return [...(this.observation?.nodes.values() ?? [])];
  }

  get observedMachines(): ObservedMachine[] {
    return this.machines.map(({ machine }) => machine);
  }

  /** What can be done in the workload cluster. Rejects with ClusterDisconnected while it cannot be reached. */
  workload(): Promise<WorkloadCluster> {
    this.#workload ??= this.#openWorkload();
    return this.#workload;
  }

  update(recipe: (draft: ControlPlaneDraft) => void): void {
    this.controlPlane = edit(this.controlPlane, recipe);
  }

  setConditions(...conditions: readonly NewCondition[]): void {
    this.update((draft) => {
      for (const condition of conditions) setCondition(draft as ConditionTarget, condition, this.nowMs);
    });
  }

  /** The deprecated style. */
  mark(...conditions: readonly Omit<V1beta1Condition, 'lastTransitionTime'>[]): void {
    this.update((draft) => {
      for (const condition of conditions) setV1beta1Condition(draft as V1beta1Target, condition, this.nowMs);
    });
  }

  condition(type: string): Readonly<Condition> | undefined {
    return this.controlPlane.status?.conditions?.find((condition) => condition.type === type) as
      | Readonly<Condition>
      | undefined;
  }

  /** A machine was written: from now on it is as the server has it. */
  replaceMachine(machine: ObservedMachine): void {
    const name = nameOf(machine);
    this.machines = this.machines.map((view) => (nameOf(view.machine) === name ? { ...view, machine } : view));
  }

  machineView(name: string): MachineView | undefined {
    return this.machines.find(({ machine }) => nameOf(machine) === name);
  }

  async #openWorkload(): Promise<WorkloadCluster> {
    const client = await this.world.workloads.client(this.clusterKey);
    const { controlPlane, clusterKey: cluster } = this;
    return this.world.openWorkload({ cluster, controlPlane, client }, this.context);
  }
}
