import { type Clock, sleep, systemClock } from '@slipway/base';
import { clusterTree, type ObjectSet, type TreeNode, type TreeOptions, watchCluster } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import { plainStyle, type Style, treeChanges, treeState, type TreeState, treeText } from '../output/index.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { rootOf } from './find-objects.js';

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly tree?: TreeOptions;
  readonly style?: Style;
  /** Output for programs: one value per line. */
  readonly output?: 'json' | 'yaml' | undefined;
  /** Stops following when this returns true. Otherwise it stops when the cluster is deleted or the signal aborts. */
  readonly until?: (tree: TreeNode) => boolean;
  readonly stream?: NodeJS.WriteStream;
  readonly clock?: Clock;
}

/** Why `followTree` stopped: `until` returned true, the cluster was deleted, or the signal was aborted. */
export type FollowEnd = 'reached' | 'gone' | 'interrupted';

interface Show {
  show(set: ObjectSet, tree: TreeNode): void | Promise<void>;
  end(): void;
}

/**
 * Shows how a cluster changes. On a terminal the tree is redrawn in place; elsewhere each change is one line. Read-only:
 * interrupting it does not stop the operation.
 */
export async function followTree(client: Client, key: ObjectKey, options: FollowOptions): Promise<FollowEnd> {
  const clock = options.clock ?? systemClock;
  const show = showFor(key, options, clock);
  try {
    for await (const set of watchCluster(client, key, { clock, signal: options.signal, withoutEvents: true })) {
      const tree = clusterTree(set, rootOf(set, key), options.tree);
      await show.show(set, tree);
      if (options.until?.(tree) === true) return 'reached';
    }
    return options.signal.aborted ? 'interrupted' : 'gone';
  } finally {
    show.end();
  }
}

function showFor(key: ObjectKey, options: FollowOptions, clock: Clock): Show {
  const stream = options.stream ?? process.stdout;
  if (options.output !== undefined) return valueLines(stream, options.output);
  return stream.isTTY ? liveTree(stream, options, clock) : changeLines(key, stream, options, clock);
}

const redrawMs = 1_000;

function liveTree(stream: NodeJS.WriteStream, options: FollowOptions, clock: Clock): Show {
  const screen = new LiveScreen(stream);
  let tree: TreeNode | undefined;
  const text = (): string =>
    tree === undefined
      ? ''
      : treeText(tree, {
          nowMs: clock.now(),
          width: screen.width,
          style: options.style ?? plainStyle,
          old: options.tree?.oldConditions ?? false,
        });
  const draw = (): void => screen.draw(text());
  stream.on('resize', draw);
  // The tree is redrawn even without a change of the cluster, because the ages in it grow.
  const again = (): void => {
    draw();
    timer = clock.setTimer(redrawMs, again);
  };
  let timer = clock.setTimer(redrawMs, again);
  return {
    show(_set, next) {
      tree = next;
      draw();
    },
    end() {
      timer.cancel();
      stream.off('resize', draw);
      screen.end(text());
    },
  };
}

function changeLines(key: ObjectKey, stream: NodeJS.WriteStream, options: FollowOptions, clock: Clock): Show {
  const startedAt = clock.monotonic();
  let before: TreeState = new Map();
  return {
    show(set) {
      const tree = clusterTree(set, rootOf(set, key), { ...options.tree, grouping: false });
      const now = treeState(tree);
      const age = ((clock.monotonic() - startedAt) / 1_000).toFixed(1).padStart(5);
      const exists = ({ kind, namespace, name }: TreeNode): boolean =>
        set.objects.some(
          ({ kind: other, metadata }) =>
            other === kind && metadata.name === name && (metadata.namespace ?? '') === namespace,
        );
      for (const line of treeChanges(before, now, exists)) stream.write(`${age} s  ${line}\n`);
      // The last state of a hidden object is kept, so that it has no line when it is shown again unchanged.
      before = new Map([...[...before].filter(([, { node }]) => exists(node)), ...now]);
    },
    end: () => undefined,
  };
}

function valueLines(stream: NodeJS.WriteStream, output: 'json' | 'yaml'): Show {
  return {
    async show(_set, tree) {
      if (output === 'json') {
        stream.write(`${JSON.stringify(tree)}\n`);
        return;
      }
      const { stringifyYamlInOrder } = await import('@slipway/kube');
      stream.write(`---\n${stringifyYamlInOrder(tree)}`);
    },
    end: () => undefined,
  };
}

export interface FollowWithinOptions extends FollowOptions {
  readonly timeoutMs?: number | undefined;
}

/** Follows a cluster for at most `timeoutMs`. Neither a timeout nor Ctrl-C is an error. */
export async function followWithin(
  client: Client,
  key: ObjectKey,
  { timeoutMs, ...options }: FollowWithinOptions,
): Promise<FollowEnd | 'late'> {
  const deadline = new AbortController();
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  if (timeoutMs !== undefined)
    void sleep(options.clock ?? systemClock, timeoutMs, { signal }).then(
      () => deadline.abort(new Error('timed out')),
      () => undefined,
    );
  try {
    const end = await followTree(client, key, { ...options, signal });
    return end === 'interrupted' && !options.signal.aborted ? 'late' : end;
  } catch (error) {
    if (!signal.aborted) throw error;
    return options.signal.aborted ? 'interrupted' : 'late';
  } finally {
    deadline.abort(new Error('done'));
  }
}

/** Returns whether the cluster at the root is Available. To be used as `until`. */
export function isAvailable({ condition }: TreeNode): boolean {
  return condition?.type === 'Available' && condition.status === 'True';
}
