import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { ObjectChange, Source, Sources } from '../controller/source.js';
import { type FakeApi, resourceName } from './fake-api.js';

/** Sources that observe every change of the fake server immediately. */
export class FakeSources implements Sources {
  readonly #api: FakeApi;
  readonly #stops: (() => void)[] = [];
  /** `synced` waits for this promise. */
  syncedWhen: Promise<void> = Promise.resolve();
  /** Resources, as `plural.group`, whose objects the cache hides. */
  readonly hiddenResources = new Set<string>();

  constructor(api: FakeApi) {
    this.#api = api;
  }

  sourceFor<T extends KubeObject>(resource: Resource<T>): Source<T> {
    const api = this.#api;
    const name = resourceName(resource);
    return {
      subscribe: (listener) => {
        for (const object of api.objectsOf(resource))
          listener({ type: 'added', object: object as Frozen<T>, isInitial: true });
        const stop = api.listen((change) => {
          if (change.resource === name)
            listener({ ...change, isInitial: isResync(change) } as unknown as ObjectChange<T>);
        });
        this.#stops.push(stop);
        return { dispose: stop };
      },
      get: (key: ObjectKey) =>
        this.hiddenResources.has(name) ? undefined : (api.find(resource, key) as Frozen<T> | undefined),
      list: () => api.objectsOf(resource) as Frozen<T>[],
      byIndex: (index, value) =>
        (api.objectsOf(resource) as Frozen<T>[]).filter((object) => index.valuesOf(object).includes(value)),
    };
  }

  start(): void {}

  async synced(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    await Promise.race([this.syncedWhen, aborted]);
  }

  syncedFor(_resource: Resource, signal: AbortSignal): Promise<void> {
    return this.synced(signal);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

function isResync(change: { readonly object: unknown; readonly previous?: unknown }): boolean {
  return change.object === change.previous;
}
