import { type Clock, sleep } from '@slipway/base';
import type { Client, RequestOptions } from '@slipway/runtime';
import type { MoveGraph } from './graph.js';
import { MoveError } from './move-error.js';

export interface UnblockOptions extends RequestOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly discover: () => Promise<MoveGraph>;
}

const firstMs = 5_000;
const factor = 1.5;
const attemptsMax = 10;

/**
 * Waits until no object has the block-move annotation. Polls with backoff, as clusterctl does: the objects may be of any kind,
 * and most waits are shorter than starting a watch for each kind.
 */
export async function untilUnblocked({ clock, discover, signal }: UnblockOptions): Promise<void> {
  for (let attempt = 0, pauseMs = firstMs; ; attempt += 1, pauseMs *= factor) {
    const blocked = (await discover()).levels.flat().filter(({ isBlocked }) => isBlocked);
    if (blocked.length === 0) return;
    const names = blocked.map(({ object, namespace, name }) => `${object.kind} ${namespace}/${name}`);
    if (attempt === attemptsMax)
      throw new MoveError('Blocked', `the block-move annotation is still set on ${names.join(', ')}`, {
        remedy: 'the provider removes the annotation when the object can be moved; check the provider logs',
      });
    await sleep(clock, pauseMs, signal === undefined ? {} : { signal });
  }
}
