import { type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import type { WatchEvent } from '../client/index.js';

export interface InitialState<T extends KubeObject> {
  readonly complete: boolean;
  readonly resourceVersion: string;
  objects(): readonly Frozen<T>[];
  /** Takes the events of the initial state out of a batch, and returns the events after its end. */
  take(batch: readonly WatchEvent<T>[]): readonly WatchEvent<T>[];
}

/** Collects the initial state of a streaming list, until the bookmark that ends it. The last version of an object wins. */
export function collectInitial<T extends KubeObject>(): InitialState<T> {
  const objects = new Map<string, Frozen<T>>();
  let complete = false;
  let resourceVersion = '';
  const takeOne = (event: WatchEvent<T>): void => {
    if (event.type === 'ERROR') throw StatusError.fromStatus(event.status);
    if (event.type === 'BOOKMARK') {
      complete = event.initialEventsEnd;
      resourceVersion = event.resourceVersion;
      return;
    }
    const { namespace = '', name = '' } = event.object.metadata;
    if (event.type === 'DELETED') objects.delete(`${namespace}/${name}`);
    else objects.set(`${namespace}/${name}`, event.object);
  };
  return {
    get complete() {
      return complete;
    },
    get resourceVersion() {
      return resourceVersion;
    },
    objects() {
      const all = [...objects.values()];
      objects.clear();
      return all;
    },
    take(batch) {
      for (const [index, event] of batch.entries()) {
        takeOne(event);
        if (complete) return batch.slice(index + 1);
      }
      return [];
    },
  };
}
