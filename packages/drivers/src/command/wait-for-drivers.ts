import type { Clock } from '@slipway/base';
import { type Reader, deployments, isConditionTrue, LinkedSignal } from '@slipway/runtime';
import { operatorName, operatorNamespace, vdoConfigs } from '../api/index.js';
import { activeVdoConfig } from '../operator/active-vdo-config.js';

export type WaitResult = 'ready' | 'timed out' | 'interrupted';

export interface WaitDependencies {
  readonly read: Reader;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborted when the user interrupts the command. Only the wait stops; the drivers are not affected. */
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Waits until the drivers are healthy, and prints each step once. */
export function waitForDrivers(dependencies: WaitDependencies): Promise<WaitResult> {
  let last = '';
  return follow(dependencies, vdoConfigs, (configs) => {
    const active = activeVdoConfig(configs);
    const text = active?.status?.summary ?? 'waiting for the operator to reconcile the VDOConfig';
    if (text !== last) dependencies.say(text);
    last = text;
    return (
      active !== undefined &&
      active.status?.observedGeneration === active.metadata.generation &&
      isConditionTrue(active, 'Ready')
    );
  });
}

/** Waits until the operator is available. */
export function waitForOperator(dependencies: WaitDependencies): Promise<WaitResult> {
  let last = '';
  return follow(dependencies, deployments, (found) => {
    const own = [...found].find(
      ({ metadata }) => metadata.name === operatorName && metadata.namespace === operatorNamespace,
    );
    const isThere =
      own?.status?.observedGeneration === own?.metadata.generation && (own?.status?.availableReplicas ?? 0) > 0;
    const text = isThere ? 'the operator is running' : 'waiting for the operator to start';
    if (text !== last) dependencies.say(text);
    last = text;
    return isThere;
  });
}

async function follow<T extends import('@slipway/kube').KubeObject>(
  { read, clock, timeoutMs, signal }: WaitDependencies,
  resource: import('@slipway/runtime').Resource<T>,
  isThere: (objects: readonly import('@slipway/kube').Frozen<T>[]) => boolean,
): Promise<WaitResult> {
  const over = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => over.abort(new Error('timed out')));
  const linked = new LinkedSignal(signal, over.signal);
  try {
    for (;;) {
      const { items, resourceVersion } = await read.list(resource, { signal: linked.signal });
      if (isThere(items)) return 'ready';
      for await (const _events of read.watch(resource, { resourceVersion, signal: linked.signal })) break;
      linked.signal.throwIfAborted();
    }
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    if (over.signal.aborted) return 'timed out';
    throw error;
  } finally {
    timer.cancel();
    linked.release();
  }
}
