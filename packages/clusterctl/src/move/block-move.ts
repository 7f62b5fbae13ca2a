import { type Clock, sleep } from '@slipway/base';
import type { Client, RequestOptions } from '@slipway/runtime';
import type { MoveGraph } from './graph.js';
import { MoveError } from './move-error.js';

export interface UnblockOptions extends RequestOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly look: () => Promise<MoveGraph>;
}

const firstMs = 5_000;
const factor = 1.5;
const attemptsMax = 10;

/**
 * Waits until no provider holds an object back any more. Asked for in growing pauses, as clusterctl does: the kinds are
 * anybody's, and a watch on each would outlast most of these waits.
 */
export async function untilUnblocked({ clock, look, signal }: UnblockOptions): Promise<void> {
  for (let attempt = 0, pauseMs = firstMs; ; attempt += 1, pauseMs *= factor) {
    const blocked = (await look()).levels.flat().filter(({ isBlocked }) => isBlocked);
    if (blocked.length === 0) return;
    const names = blocked.map(({ object, namespace, name }) => `${object.kind} ${namespace}/${name}`);
    if (attempt === attemptsMax)
      throw new MoveError('Blocked', `annotation block-move is still on ${names.join(', ')}`, {
        remedy: 'its provider takes it away when the object may move: see its log',
      });
    await sleep(clock, pauseMs, signal === undefined ? {} : { signal });
  }
}
