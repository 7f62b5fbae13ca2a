import { reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type Conditioned,
  type ConditionSeverity,
  type ConditionTarget,
  edit,
  getCondition,
  reasonByWorst,
  type ReconcileContext,
  setCondition,
  setV1beta1Summary,
  summaryCondition,
  type V1beta1Target,
} from '@slipway/runtime';
import { type VSphereCluster, vsphereClusters, vsphereConditions, vsphereV1Beta1Conditions } from '../../api/index.js';
import { setBothConditions } from '../conditions.js';

const { ready, vcenterAvailable, failureDomainsReady, clusterModulesReady } = vsphereConditions;
const oldTypes: Readonly<Record<string, string>> = {
  [vcenterAvailable]: vcenterAvailable,
  [failureDomainsReady]: vsphereV1Beta1Conditions.failureDomainsAvailable,
  [clusterModulesReady]: vsphereV1Beta1Conditions.clusterModulesAvailable,
};
const types = Object.keys(oldTypes);
const ownedConditions = [ready, ...types, ...Object.values(oldTypes)];
const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

export interface ClusterState {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  readonly old?: readonly [string, ConditionSeverity];
}

/** What a pass finds out about a VSphereCluster, written at its end. */
export class ClusterReport {
  readonly #before: Frozen<VSphereCluster>;
  #after: Frozen<VSphereCluster>;

  constructor(
    cluster: Frozen<VSphereCluster>,
    private readonly context: ReconcileContext,
  ) {
    this.#before = cluster;
    this.#after = cluster;
  }

  get cluster(): Frozen<VSphereCluster> {
    return this.#after;
  }

  edit(recipe: (draft: Thawed<Frozen<VSphereCluster>>) => void): void {
    this.#after = edit(this.#after, recipe);
  }

  condition(type: (typeof types)[number], state: ClusterState): void {
    const nowMs = this.context.clock.now();
    this.edit((draft) => setBothConditions(draft, { type, oldType: oldTypes[type] ?? type, ...state }, nowMs));
  }

  vcenter(state: ClusterState): void {
    this.condition(vcenterAvailable, state);
  }

  failureDomains(state: ClusterState): void {
    this.condition(failureDomainsReady, state);
  }

  modules(state: ClusterState): void {
    this.condition(clusterModulesReady, state);
  }

  deleting(): void {
    const state: ClusterState = { status: 'False', reason: reasons.deleting, old: [reasons.deleting, 'Info'] };
    for (const type of types) this.condition(type, state);
  }

  async write(): Promise<void> {
    const nowMs = this.context.clock.now();
    this.edit((draft) => {
      const summary = summaryCondition(draft as Conditioned, ready, {
        types,
        ignoreIfMissing: [failureDomainsReady, clusterModulesReady],
        strategy: { reasonOf },
      });
      setCondition(draft as ConditionTarget, summary, nowMs);
      setV1beta1Summary(draft as V1beta1Target, { types: Object.values(oldTypes) }, nowMs);
    });
    if (this.#after === this.#before) return;
    const condition = getCondition(this.#after as Conditioned, ready);
    await this.context.change({
      verb: 'patch',
      resource: vsphereClusters,
      before: this.#before,
      after: this.#after,
      ownedConditions,
      reason: condition?.reason ?? reasons.notReady,
      message: condition?.message || `Ready is ${condition?.status ?? 'Unknown'}`,
    });
  }
}
