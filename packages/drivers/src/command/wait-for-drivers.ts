import type { Clock } from '@slipway/base';
import { type Reader, deployments, isConditionTrue, LinkedSignal } from '@slipway/runtime';
import { operatorName, operatorNamespace, vdoConfigs } from '../api/index.js';
import { activeVdoConfig } from '../operator/active-vdo-config.js';

export type WaitResult = 'ready' | 'timed out' | 'interrupted';

export interface WaitWorld {
  readonly read: Reader;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The user's: it ends the watching, and nothing else. */
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Follows the drivers until they are healthy, and tells each step once. */
export function waitForDrivers(world: WaitWorld): Promise<WaitResult> {
  let last = '';
  return follow(world, vdoConfigs, (configs) => {
    const active = activeVdoConfig(configs);
    const text = active?.status?.summary ?? 'waiting for the operator to look at the VDOConfig';
    if (text !== last) world.say(text);
    last = text;
    return (
      active !== undefined &&
      active.status?.observedGeneration === active.metadata.generation &&
      isConditionTrue(active, 'Ready')
    );
  });
}

/** Until the operator itself runs. */
export function waitForOperator(world: WaitWorld): Promise<WaitResult> {
  let last = '';
  return follow(world, deployments, (found) => {
    const own = [...found].find(
      ({ metadata }) => metadata.name === operatorName && metadata.namespace === operatorNamespace,
    );
    const isThere =
      own?.status?.observedGeneration === own?.metadata.generation && (own?.status?.availableReplicas ?? 0) > 0;
    const text = isThere ? 'the operator runs' : 'waiting for the operator to run';
    if (text !== last) world.say(text);
    last = text;
    return isThere;
  });
}

async function follow<T extends import('@slipway/kube').KubeObject>(
  { read, clock, timeoutMs, signal }: WaitWorld,
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
