import type { Clock } from '@slipway/base';
import { keyText, type ObjectKey } from '@slipway/runtime';
import type { SetProblem } from './set-conditions.js';

interface SetState {
  /** Signature of the set and its resources when all clusters were last checked. */
  signature: string;
  allAgainAt: number;
  connectAgainAt: number;
  /** Names of clusters that changed since they were last checked. */
  readonly touched: Set<string>;
  /** The problems of each selected cluster, by cluster name. */
  readonly clusters: Map<string, readonly SetProblem[]>;
}

/** Interval at which all clusters are checked even if nothing changed. */
const allAgainMs = 600_000;
/**
 * Interval at which unreachable clusters are retried. The cluster cache reports new connections, but it does not notice a
 * kubeconfig that appears while no controller requests the cluster.
 */
const connectAgainMs = 60_000;

/**
 * Tracks which clusters of a set must be checked. A new cluster triggers a set several times, and checking all its clusters each
 * time would not scale. All clusters of a set are checked if it has no entry here, for example after a restart.
 */
export class SetProgress {
  readonly #clock: Clock;
  readonly #states = new Map<string, SetState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Marks a cluster for the next check, because it was created, deleted, relabelled or connected. */
  touch(set: ObjectKey, cluster: ObjectKey): void {
    this.#states.get(keyText(set))?.touched.add(cluster.name);
  }

  /** Whether the clusters of the set were checked before. */
  isKnown(set: ObjectKey): boolean {
    return this.#states.has(keyText(set));
  }

  /** Returns the clusters to check now, by name. */
  due(set: ObjectKey, signature: string): 'all' | ReadonlySet<string> {
    const now = this.#clock.monotonic();
    const state = this.#states.get(keyText(set));
    if (state === undefined || state.signature !== signature || now >= state.allAgainAt) {
      this.#states.set(keyText(set), {
        signature,
        allAgainAt: now + allAgainMs,
        connectAgainAt: now + connectAgainMs,
        touched: new Set(),
        clusters: new Map(),
      });
      return 'all';
    }
    const names = new Set(state.touched);
    const connect = now >= state.connectAgainAt;
    if (connect) state.connectAgainAt = now + connectAgainMs;
    for (const [name, problems] of state.clusters)
      if (problems.some(({ kind }) => connect || kind !== 'not-connected')) names.add(name);
    state.touched.clear();
    return names;
  }

  /** Records the problems of a cluster. Pass undefined if the set does not select the cluster. */
  note(set: ObjectKey, cluster: string, problems: readonly SetProblem[] | undefined): void {
    const clusters = this.#states.get(keyText(set))?.clusters;
    if (problems === undefined) clusters?.delete(cluster);
    else clusters?.set(cluster, problems);
  }

  /** Returns the results of all clusters of the set. */
  result(set: ObjectKey): {
    readonly count: number;
    readonly problems: readonly SetProblem[];
    readonly againMs: number;
  } {
    const state = this.#states.get(keyText(set));
    return {
      count: state?.clusters.size ?? 0,
      problems: [...(state?.clusters.values() ?? [])].flat(),
      againMs: Math.max((state?.connectAgainAt ?? 0) - this.#clock.monotonic(), 0),
    };
  }

  /** Drops the state of the set, so that the next reconcile checks all its clusters. */
  forget(set: ObjectKey): void {
    this.#states.delete(keyText(set));
  }
}
