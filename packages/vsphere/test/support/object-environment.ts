import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  type Condition,
  type Conditioned,
  getCondition,
  type ObjectKey,
  type Resource,
} from '@slipway/runtime';

const tenants = 'tenants';
export const namespace = tenants;

/** Creates objects on a server, and waits until they match. */
export class ObjectEnvironment {
  /** Timeout of waits. Longer than the minute for which a failed vCenter task is kept, and than the longest back-off. */
  timeoutMs = 110_000;

  constructor(
    readonly client: Client,
    readonly namespace = tenants,
  ) {}

  create(resource: Resource, object: object): Promise<Frozen<KubeObject>> {
    return this.client.create(resource, object as KubeObject);
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<Frozen<T>> {
    return this.client.get(resource, this.#keyOf(resource, name));
  }

  async list<T extends KubeObject>(resource: Resource<T>): Promise<readonly Frozen<T>[]> {
    return (await this.client.list(resource, resource.namespaced ? { namespace: this.namespace } : {})).items;
  }

  async merge(resource: Resource, name: string, patch: object, subresource?: string): Promise<void> {
    const body = { type: 'merge', patch: patch as Record<string, never> } as const;
    const options = subresource === undefined ? {} : { subresource };
    await this.client.patch(resource, this.#keyOf(resource, name), body, options);
  }

  async until<T extends KubeObject, R>(
    resource: Resource<T>,
    find: (objects: readonly Frozen<T>[]) => R | undefined | false,
  ): Promise<R> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const scope = resource.namespaced ? { namespace: this.namespace } : {};
    for (;;) {
      const { items, resourceVersion } = await this.client.list(resource, scope);
      const found = find(items);
      if (found !== undefined && found !== false) return found;
      try {
        for await (const _events of this.client.watch(resource, { ...scope, resourceVersion, signal })) break;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) throw new Error(`no fitting ${resource.kind}:\n${items.map(summaryOf).join('\n')}`);
    }
  }

  /** Waits until the object of this name matches. */
  untilOne<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    fits: (object: Frozen<T>) => boolean | undefined,
  ): Promise<Frozen<T>> {
    return this.until(resource, (found) =>
      found.find((object) => (object as Frozen<KubeObject>).metadata.name === name && fits(object) === true),
    );
  }

  untilNone(resource: Resource, name: string): Promise<true> {
    return this.until(resource, (found) => found.every(({ metadata }) => metadata.name !== name));
  }

  #keyOf({ namespaced }: { readonly namespaced: boolean }, name: string): ObjectKey {
    return { namespace: namespaced ? this.namespace : '', name };
  }
}

export function conditionOf(object: object, type: string): ReturnType<typeof getCondition> {
  return getCondition(object as Conditioned, type);
}

/** Returns the status of an object that a test waited for in vain. */
function summaryOf(object: object): string {
  const { metadata, status } = object as { metadata: { name?: string }; status?: { conditions?: Condition[] } };
  const conditions = (status?.conditions ?? []).filter((each) => each.status !== 'True');
  return `${metadata.name ?? ''}: ${conditions.map((each) => `${each.type}=${each.status} ${each.message}`).join('; ')}`;
}
