import type { Clock } from '@slipway/base';
import { keyText, type ObjectKey } from '@slipway/runtime';
import type { SetProblem } from './set-conditions.js';

interface SetState {
  /** What the set and its resources were when all clusters were looked at. */
  signature: string;
  allAgainAt: number;
  connectAgainAt: number;
  /** Names of clusters that changed since. */
  readonly touched: Set<string>;
  /** Names of the clusters that are selected, and what is wrong with each. */
  readonly clusters: Map<string, readonly SetProblem[]>;
}

/** How often all clusters are looked at although nothing changed. */
const allAgainMs = 600_000;
/** The cache tells when a cluster is connected, but not when its kubeconfig appears and nobody asks. */
const connectAgainMs = 60_000;

/**
 * Which clusters of a set have to be looked at. One that comes up concerns a set a few times; looking at all others each time
 * would take longer with every cluster that there is. What is not known here, as after a start, is looked at in full.
 */
export class SetProgress {
  readonly #clock: Clock;
  readonly #states = new Map<string, SetState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A cluster appeared, went, changed its labels, or can be reached. */
  touch(set: ObjectKey, cluster: ObjectKey): void {
    this.#states.get(keyText(set))?.touched.add(cluster.name);
  }

  /** Whether its clusters were looked at before. */
  isKnown(set: ObjectKey): boolean {
    return this.#states.has(keyText(set));
  }

  /** The clusters to look at now, by name. */
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

  /** What came of a cluster; undefined when the set does not select it. */
  note(set: ObjectKey, cluster: string, problems: readonly SetProblem[] | undefined): void {
    const clusters = this.#states.get(keyText(set))?.clusters;
    if (problems === undefined) clusters?.delete(cluster);
    else clusters?.set(cluster, problems);
  }

  /** Everything that is known of the set's clusters. */
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

  /** The next look is at all clusters. */
  forget(set: ObjectKey): void {
    this.#states.delete(keyText(set));
  }
}
