import type { KeySource } from '@slipway/base';
import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  type ClusterCache,
  type ConditionTarget,
  edit,
  joinOutcomes,
  keyOf,
  type ObjectKey,
  type Outcome,
  patchObject,
  pausedCondition,
  type ReconcileContext,
  retry,
  setCondition,
} from '@slipway/runtime';
import { type KubeadmConfig, kubeadmConfigs } from '../api/index.js';
import type { KubeadmConfigSpecView } from '../bootstrap-data/index.js';
import type { CheckSchedule } from './check-schedule.js';
import { ownedConfigConditions, summarizeConfig } from './config-conditions.js';
import type { ConfigOwner } from './config-owner.js';

/** What the controller has beside what every reconcile gets. */
export interface ConfigWorld {
  readonly workloads: Pick<ClusterCache, 'client'>;
  readonly keys: KeySource;
  readonly tokenTtlMs: number;
  readonly tokenSchedule: CheckSchedule;
  /** Of the owner of the data Secret. */
  readonly ownerSchedule: CheckSchedule;
  /** The MachinePool gate is open. */
  readonly pools: boolean;
}

export type ObservedConfig = Frozen<KubeadmConfig>;
export type ConfigDraft = Thawed<ObservedConfig>;

/** One look at one config: what was read, and what it is to become. Written once, at the end. */
export class ConfigScope {
  #config: ObservedConfig;

  constructor(
    readonly before: ObservedConfig,
    readonly owner: ConfigOwner,
    readonly cluster: ObservedCluster,
    readonly context: ReconcileContext,
    readonly world: ConfigWorld,
  ) {
    this.#config = before;
  }

  get config(): ObservedConfig {
    return this.#config;
  }

  get spec(): KubeadmConfigSpecView {
    return this.#config.spec ?? {};
  }

  get clusterKey(): ObjectKey {
    return keyOf(this.cluster);
  }

  get namespace(): string {
    return this.before.metadata.namespace ?? '';
  }

  change(recipe: (draft: ConfigDraft, nowMs: number) => void): void {
    const nowMs = this.context.clock.now();
    this.#config = edit(this.#config, (draft) => recipe(draft, nowMs));
  }

  /** Writes what has changed. The generation counts as observed only when nothing failed. */
  async finish(outcome: Outcome): Promise<Outcome> {
    const failed = outcome.type === 'retry' || outcome.type === 'terminal';
    this.change((draft, nowMs) => {
      summarizeConfig(draft, nowMs);
      setCondition(draft as ConditionTarget, pausedCondition(this.before, this.cluster), nowMs);
      const { generation } = draft.metadata;
      if (!failed && generation !== undefined) draft.status = { ...draft.status, observedGeneration: generation };
    });
    const { client, signal } = this.context;
    try {
      await patchObject(client, kubeadmConfigs, this.before, this.#config, {
        ownedConditions: ownedConfigConditions,
        seesOwnChange: !failed,
        signal,
      });
    } catch (error) {
      if (!failed) throw error;
      return joinOutcomes([outcome, retry(error instanceof Error ? error : new Error(String(error)))]);
    }
    return outcome;
  }
}
