import type { ReconcileContext } from '@slipway/runtime';
import type { ObservedCluster } from './topology-state.js';
import type { HookAnswer, HookAnswers, HookCall } from './upgrade/lifecycle-hook.js';
import type { UpgradeRange } from './upgrade/upgrade-plan.js';
import type { UpgradeState } from './upgrade/upgrade-tracker.js';

/** What extensions have to say about the life of a cluster. */
export interface TopologyHooks {
  /** Undefined: extensions are turned off, so nothing is pending and nothing is asked. */
  pending(cluster: ObservedCluster): ReadonlySet<string> | undefined;
  ask(context: ReconcileContext, cluster: ObservedCluster, call: HookCall): Promise<HookAnswer>;
  beforeCreate(context: ReconcileContext, cluster: ObservedCluster): Promise<HookAnswers>;
  beforeDelete(context: ReconcileContext, cluster: ObservedCluster): Promise<HookAnswers>;
  upgradePlan(
    context: ReconcileContext,
    cluster: ObservedCluster,
    extension: string,
    range: UpgradeRange,
  ): Promise<{ readonly controlPlane: readonly string[]; readonly workers: readonly string[] }>;
  /** Writes onto the Cluster which hooks are yet to be called; gives back the Cluster as it then is. */
  note(context: ReconcileContext, cluster: ObservedCluster, pending: ReadonlySet<string>): Promise<ObservedCluster>;
  /** Hooks that follow what has come to pass: the control plane is up, the cluster is upgraded. */
  afterwards(
    context: ReconcileContext,
    cluster: ObservedCluster,
    upgrade: UpgradeState,
  ): Promise<{ readonly cluster: ObservedCluster; readonly answers: HookAnswers }>;
}
