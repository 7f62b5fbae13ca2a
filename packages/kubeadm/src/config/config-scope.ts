import type { Clock } from '@slipway/base';
import { type ClusterCache, type ObservedCluster, pausedCondition } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import {
  type ConditionTarget,
  edit,
  joinOutcomes,
  keyOf,
  keyText,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  retry,
  setCondition,
} from '@slipway/runtime';
import { type KubeadmConfig, kubeadmConfigs } from '../api/index.js';
import type { KubeadmConfigSpecView } from '../bootstrap-data/index.js';
import { ownedConfigConditions, summarizeConfig } from './config-conditions.js';
import type { ConfigOwner } from './decide-step.js';

/** Dependencies of the controller. */
export interface ConfigDependencies {
  readonly workloads: Pick<ClusterCache, 'cluster'>;
  readonly keys: KeySource;
  readonly tokenTtlMs: number;
  readonly tokenSchedule: CheckSchedule;
  /** When to check the owner of the data Secret again. */
  readonly ownerSchedule: CheckSchedule;
  /** Whether the MachinePool feature gate is enabled. */
  readonly pools: boolean;
}

export type ObservedConfig = Frozen<KubeadmConfig>;
export type ConfigDraft = Thawed<ObservedConfig>;

/** The state of one reconcile of a KubeadmConfig. `config` is written once, at the end. */
export class ConfigScope {
  #config: ObservedConfig;

  constructor(
    readonly before: ObservedConfig,
    readonly owner: ConfigOwner,
    readonly cluster: ObservedCluster,
    readonly context: ReconcileContext,
    readonly dependencies: ConfigDependencies,
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

  update(recipe: (draft: ConfigDraft, nowMs: number) => void): void {
    const nowMs = this.context.clock.now();
    this.#config = edit(this.#config, (draft) => recipe(draft, nowMs));
  }

  /** Writes the changes. observedGeneration is updated only if nothing failed. */
  async finish(outcome: Outcome): Promise<Outcome> {
    const failed = outcome.type === 'retry' || outcome.type === 'terminal';
    this.update((draft, nowMs) => {
      summarizeConfig(draft, nowMs);
      setCondition(draft as ConditionTarget, pausedCondition(this.before, this.cluster), nowMs);
      const { generation } = draft.metadata;
      if (!failed && generation !== undefined) draft.status = { ...draft.status, observedGeneration: generation };
    });
    const cause =
      this.#config.spec === this.before.spec
        ? { reason: 'StatusUpdated', message: 'Updated status' }
        : { reason: 'BootstrapDataGenerated', message: 'Recorded the inputs of the bootstrap data in spec' };
    try {
      await this.context.change({
        verb: 'patch',
        resource: kubeadmConfigs,
        before: this.before,
        after: this.#config,
        ownedConditions: ownedConfigConditions,
        observesOwnChange: !failed,
        ...cause,
      });
    } catch (error) {
      if (!failed) throw error;
      return joinOutcomes([outcome, retry(error instanceof Error ? error : new Error(String(error)))]);
    }
    return outcome;
  }
}

/**
 * Schedules the next check of a KubeadmConfig. A booting machine causes many events, and reading a token or a Secret for each of
 * them would be most of the load on the server.
 */
export class CheckSchedule {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the time until the next check, in milliseconds. 0 if it is due. */
  remainingMs(key: ObjectKey): number {
    const due = this.#due.get(keyText(key));
    return due === undefined ? 0 : Math.max(due - this.#clock.monotonic(), 0);
  }

  set(key: ObjectKey, afterMs: number): void {
    this.#due.set(keyText(key), this.#clock.monotonic() + afterMs);
  }

  forget(key: ObjectKey): void {
    this.#due.delete(keyText(key));
  }
}
