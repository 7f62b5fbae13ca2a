import { reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ConditionSeverity,
  type Conditioned,
  type ConditionTarget,
  edit,
  markFalse,
  markTrue,
  reasonByWorst,
  setCondition,
  setV1beta1Summary,
  summaryCondition,
  type V1beta1Target,
} from '@slipway/runtime';
import { type SupervisorCluster, vsphereConditions, vsphereV1Beta1Conditions } from '../../api/index.js';

const {
  ready,
  resourcePolicyReady,
  networkReady,
  loadBalancerReady,
  failureDomainsReady,
  providerServiceAccountsReady,
  serviceDiscoveryReady,
} = vsphereConditions;

/** Other controllers write the last two, and only while there is something to tell. */
const summarized = [
  resourcePolicyReady,
  networkReady,
  loadBalancerReady,
  failureDomainsReady,
  providerServiceAccountsReady,
  serviceDiscoveryReady,
];

/** What this controller writes: three of them share the object, and each keeps to its own. */
export const ownedClusterConditions = [
  ready,
  resourcePolicyReady,
  networkReady,
  loadBalancerReady,
  failureDomainsReady,
  vsphereV1Beta1Conditions.clusterNetworkReady,
];

/** The old style calls one of them otherwise, and knows nothing of another. */
const oldTypes: ReadonlyMap<string, string> = new Map([
  [resourcePolicyReady, resourcePolicyReady],
  [networkReady, vsphereV1Beta1Conditions.clusterNetworkReady],
  [loadBalancerReady, loadBalancerReady],
]);

export interface Problem {
  readonly reason: string;
  readonly message: string;
  readonly oldReason: string;
  readonly severity: ConditionSeverity;
}

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

/** What a pass found out about a cluster, to be written at its end in one go. */
export class ClusterReport {
  readonly #states = new Map<string, Problem | undefined>();

  constructor(private readonly nowMs: number) {}

  isReady(type: string): void {
    this.#states.set(type, undefined);
  }

  isNotReady(type: string, problem: Problem): void {
    this.#states.set(type, problem);
  }

  applyTo(after: Frozen<SupervisorCluster>): Frozen<SupervisorCluster> {
    return edit(after, (draft) => {
      for (const [type, problem] of this.#states) this.#tell(draft, type, problem);
      const present = summarized.filter((type) => draft.status?.conditions?.some((each) => each.type === type));
      if (present.length === 0) return;
      const summary = summaryCondition(draft as Conditioned, ready, { types: present, strategy: { reasonOf } });
      setCondition(draft as ConditionTarget, summary, this.nowMs);
      setV1beta1Summary(draft as V1beta1Target, { types: [...oldTypes.values()] }, this.nowMs);
    });
  }

  #tell(draft: object, type: string, problem: Problem | undefined): void {
    const { reason = reasons.ready, message = '' } = problem ?? {};
    const status = problem === undefined ? 'True' : 'False';
    setCondition(draft as ConditionTarget, { type, status, reason, message }, this.nowMs);
    const old = oldTypes.get(type);
    if (old === undefined) return;
    if (problem === undefined) markTrue(draft as V1beta1Target, old, this.nowMs);
    else {
      const { oldReason, severity } = problem;
      markFalse(draft as V1beta1Target, old, { reason: oldReason, severity, message }, this.nowMs);
    }
  }
}
