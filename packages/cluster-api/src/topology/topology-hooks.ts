import { type ReconcileContext, ReconcileError } from '@slipway/runtime';
import type { ObservedCluster } from './topology-state.js';
import type { HookAnswer, HookAnswers, HookCall } from './upgrade/lifecycle-hook.js';
import type { UpgradeRange } from './upgrade/upgrade-plan.js';
import type { UpgradeState } from './upgrade/upgrade-tracker.js';

/** The lifecycle hooks of a cluster. */
export interface TopologyHooks {
  /** Returns the pending hooks. Undefined while extensions are disabled: no hook is pending or called. */
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
  /** Records the pending hooks on the Cluster. Returns the written Cluster. */
  note(context: ReconcileContext, cluster: ObservedCluster, pending: ReadonlySet<string>): Promise<ObservedCluster>;
  /** Calls the hooks that follow an event: the control plane was initialized, or the cluster was upgraded. */
  afterwards(
    context: ReconcileContext,
    cluster: ObservedCluster,
    upgrade: UpgradeState,
  ): Promise<{ readonly cluster: ObservedCluster; readonly answers: HookAnswers }>;
}

/** The hooks while the RuntimeSDK feature gate is disabled: calls none, and fails for a ClusterClass that needs an extension. */
export const noHooks: TopologyHooks = {
  pending: () => undefined,
  ask: () => Promise.resolve({ retryAfterSeconds: 0, message: '' }),
  beforeCreate: () => Promise.resolve(new Map()),
  beforeDelete: () => Promise.resolve(new Map()),
  upgradePlan: (_context, _cluster, extension) =>
    Promise.reject(
      new ReconcileError(
        'RuntimeSDKDisabled',
        `can not use GenerateUpgradePlan extension "${extension}" if RuntimeSDK feature flag is disabled`,
        { retry: 'onChange', remedy: 'start with --feature-gates=RuntimeSDK=true' },
      ),
    ),
  note: (_context, cluster) => Promise.resolve(cluster),
  afterwards: (_context, cluster) => Promise.resolve({ cluster, answers: new Map() }),
};
