import {
  type ClusterCache,
  type IntentCache,
  nameOf,
  type ObservedMachine,
  setV1beta1Condition,
  type V1beta1Condition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import {
  type Condition,
  type ConditionTarget,
  edit,
  type NewCondition,
  type Node,
  type ObjectKey,
  type ReconcileContext,
  type Secret,
  setCondition,
} from '@slipway/runtime';
import {
  type ControlPlaneHealth,
  type ControlPlaneObservation,
  type ControlPlaneWorkload,
  isSilent,
  type WorkloadOpener,
} from '../workload/index.js';
import type {
  ClusterView,
  ControlPlaneView,
  MachineView,
  ObservedControlPlane,
  PreflightFindings,
} from './control-plane.js';

/** Dependencies of the controller. */
export interface ControlPlaneDependencies {
  readonly workloads: ClusterCache;
  readonly keys: KeySource;
  /** The last intent that was applied to each object. */
  readonly intents: IntentCache;
  readonly checkedSecrets: CheckedSecrets;
  /** Opens a connected workload cluster for one reconcile. */
  readonly openWorkload: WorkloadOpener;
  /** How long conditions keep their last value while they cannot be refreshed: `--remote-conditions-grace-period`. */
  readonly remoteConditionsGraceMs: number;
}

export type ControlPlaneDraft = Thawed<ObservedControlPlane>;

/** The state of one reconcile of a control plane. `controlPlane` is written at the end. */
export class ControlPlaneScope {
  readonly original: ObservedControlPlane;
  readonly nowMs: number;
  controlPlane: ObservedControlPlane;
  machines: readonly MachineView[] = [];
  observation: ControlPlaneObservation | undefined;
  health: ControlPlaneHealth | undefined;
  preflight: PreflightFindings = {};
  /** Why no machine can be created, as the conditions report it. */
  creationProblem: string | undefined;
  /** Whether something could not be observed, so that observedGeneration must not be updated. */
  isIncomplete = false;
  deletion: { readonly reason: string; readonly message: string } | undefined;
  #workload: Promise<ControlPlaneWorkload> | undefined;

  constructor(
    readonly context: ReconcileContext,
    readonly dependencies: ControlPlaneDependencies,
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

  /** Nodes of the control plane in the workload cluster. */
  get nodes(): Frozen<Node>[] {
    return [...(this.observation?.nodes.values() ?? [])];
  }

  get observedMachines(): ObservedMachine[] {
    return this.machines.map(({ machine }) => machine);
  }

  /** Returns the workload cluster. Rejects with ClusterDisconnected while it is unreachable. */
  workload(): Promise<ControlPlaneWorkload> {
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

  /** Sets conditions in the deprecated v1beta1 style. */
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

  /** Replaces a machine with the object that the server returned. */
  replaceMachine(machine: ObservedMachine): void {
    const name = nameOf(machine);
    this.machines = this.machines.map((view) => (nameOf(view.machine) === name ? { ...view, machine } : view));
  }

  machineView(name: string): MachineView | undefined {
    return this.machines.find(({ machine }) => nameOf(machine) === name);
  }

  async #openWorkload(): Promise<ControlPlaneWorkload> {
    const { controlPlane, clusterKey: cluster } = this;
    const workload = await this.dependencies.workloads.cluster(cluster);
    return this.dependencies.openWorkload({ cluster, controlPlane, workload }, this.context);
  }
}

/** Interval after which Secrets are checked again, because certificates expire without a change. */
const freshMs = 3_600_000;
/** More control planes than one process reconciles. The oldest entries are evicted, and their Secrets are checked again. */
const entriesMax = 100_000;

interface Entry {
  readonly versions: string;
  readonly checkedMs: number;
}

/** Remembers Secrets that passed their check: parsing keys and certificates costs more than the rest of an idle reconcile. */
export class CheckedSecrets {
  readonly #entries = new Map<string, Entry>();

  isFresh(subject: string, secrets: Iterable<Frozen<Secret>>, nowMs: number): boolean {
    const entry = this.#entries.get(subject);
    return entry !== undefined && nowMs - entry.checkedMs < freshMs && entry.versions === versionsOf(secrets);
  }

  note(subject: string, secrets: Iterable<Frozen<Secret>>, nowMs: number): void {
    this.#entries.delete(subject);
    this.#entries.set(subject, { versions: versionsOf(secrets), checkedMs: nowMs });
    if (this.#entries.size <= entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function versionsOf(secrets: Iterable<Frozen<Secret>>): string {
  return [...secrets].map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`).join(' ');
}
