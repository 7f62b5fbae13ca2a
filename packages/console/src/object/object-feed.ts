import { type Clock, sleep } from '@slipway/base';
import {
  explain,
  findObject,
  type ObjectRef,
  type ObjectSet,
  type Observed,
  readObjectHistory,
} from '@slipway/insight';
import { isReason, stringifyYaml, timeOf } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';
import type { ClusterSource } from '../cluster/cluster-source.js';
import type { ClosableFeed } from '../feeds/feed.js';
import { ValueFeed } from '../feeds/value-feed.js';
import type { ObjectView, VersionView } from '../model/object.js';

export interface ObjectFeedOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly ref: ObjectRef;
  /** The Cluster that the object belongs to. Its objects explain the state of the object. */
  readonly source: ClusterSource | undefined;
}

const versionsMax = 20;
const retryMs = 2_000;

/** The live view of one object and its recent versions. */
export class ObjectFeed implements ClosableFeed {
  readonly #value: ValueFeed<ObjectView>;
  readonly #versions = new Map<string, VersionView>();
  readonly #stopping = new AbortController();
  readonly #listening: { dispose(): void } | undefined;
  #set: ObjectSet | undefined;
  #object: Observed | undefined;

  constructor(private readonly options: ObjectFeedOptions) {
    this.#value = new ValueFeed(options.clock);
    this.#listening = options.source?.add({
      changed: (set) => {
        this.#set = set;
        this.#show();
      },
      gone: () => undefined,
      lost: () => undefined,
    });
    void this.#run();
  }

  get subscriberCount(): number {
    return this.#value.subscriberCount;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    return this.#value.open(send);
  }

  dispose(): void {
    this.#stopping.abort();
    this.#listening?.dispose();
    this.#value.dispose();
  }

  async #run(): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (signal.aborted) return;
        this.#value.lose(error instanceof Error ? error.message : String(error));
      }
      await sleep(clock, retryMs, { signal }).catch(() => undefined);
    }
  }

  async #follow(): Promise<void> {
    const { client, clock, ref } = this.options;
    const { signal } = this.#stopping;
    const resource = await client.resourceFor({ group: ref.group, kind: ref.kind });
    if (resource === undefined) return this.#end();
    const object = await findObject(client, ref, { signal });
    if (object === undefined) return this.#end();
    const key = { namespace: resource.namespaced ? ref.namespace : '', name: ref.name };
    if (this.#versions.size === 0)
      for (const state of await readObjectHistory(client, resource, key, clock, signal)) this.#remember(state);
    this.#take(object);
    await this.#watch(resource, key.namespace, object.metadata.resourceVersion ?? '');
  }

  async #watch(resource: Resource, namespace: string, resourceVersion: string): Promise<void> {
    const { client, ref } = this.options;
    const { signal } = this.#stopping;
    const selection = { namespace, fieldSelector: `metadata.name=${ref.name}`, resourceVersion, signal };
    try {
      for await (const events of client.watch(resource, selection)) {
        for (const event of events) {
          if (event.type === 'ERROR') return;
          if (event.type === 'DELETED') this.#end();
          else if (event.type !== 'BOOKMARK') this.#take(event.object);
        }
      }
    } catch (error) {
      // The resourceVersion is too old to continue the watch. Read the object again.
      if (!isReason(error, 'Expired') && !isReason(error, 'Gone')) throw error;
    }
  }

  #end(): void {
    this.#object = undefined;
    this.#value.end(`${this.options.ref.kind} ${this.options.ref.name} not found.`);
  }

  #take(object: Observed): void {
    this.#object = withoutSecrets(object);
    this.#remember(object);
    this.#show();
  }

  #remember(object: Observed): void {
    const { resourceVersion = '', managedFields = [] } = object.metadata;
    const newest = managedFields
      .map(({ manager = '', time }) => ({ manager, at: timeOf(time) ?? 0 }))
      .toSorted((left, right) => right.at - left.at)[0];
    const at = newest?.at ?? timeOf(object.metadata.creationTimestamp) ?? 0;
    const yaml = yamlOf(withoutSecrets(object));
    this.#versions.set(resourceVersion, { resourceVersion, at, manager: newest?.manager ?? '', yaml });
    for (const old of this.#versions.keys()) {
      if (this.#versions.size <= versionsMax) break;
      this.#versions.delete(old);
    }
  }

  #show(): void {
    const object = this.#object;
    if (object === undefined) return;
    // Explain the object as it is in the set, because the set may be newer than the watched object.
    const seen = this.#set?.get(this.options.ref);
    const why = this.#set && seen && explain(this.#set, seen, this.options.clock.now());
    this.#value.set({
      yaml: yamlOf(object),
      managedFields: stringifyYaml({ managedFields: object.metadata.managedFields ?? [] }),
      versions: Object.fromEntries(this.#versions),
      ...(why !== undefined && why.verdict !== 'well' && { why }),
    });
  }
}

function yamlOf(object: Observed): string {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return stringifyYaml({ ...object, metadata } as never);
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Removes the data of Secrets, and the copy of the data that `kubectl apply` keeps in an annotation. */
export function withoutSecrets(object: Observed): Observed {
  if (object.kind !== 'Secret') return object;
  const { data, stringData: _stringData, ...rest } = object as Observed & { data?: object; stringData?: object };
  const hidden = Object.fromEntries(Object.keys(data ?? {}).map((key) => [key, '(not shown)']));
  const { annotations } = object.metadata;
  const shown =
    annotations !== undefined && lastApplied in annotations
      ? { ...annotations, [lastApplied]: '(not shown)' }
      : annotations;
  return { ...rest, metadata: { ...object.metadata, ...(shown && { annotations: shown }) }, data: hidden } as Observed;
}
