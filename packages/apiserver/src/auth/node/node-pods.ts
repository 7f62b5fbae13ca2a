import { type Frozen, type KubeObject, recordAt, textAt } from '@slipway/kube';
import type { Store, StoreEvent } from '../../contract/index.js';

const noPods: ReadonlyMap<string, Frozen<KubeObject>> = new Map();

/** The pods of each node. Read from the store on first use, because most servers never serve a kubelet. */
export class NodePods {
  readonly #byNode = new Map<string, Map<string, Frozen<KubeObject>>>();
  #watch: { dispose(): void } | undefined;

  constructor(private readonly store: Store) {}

  dispose(): void {
    this.#watch?.dispose();
  }

  of(node: string): Iterable<Frozen<KubeObject>> {
    this.#follow();
    return (this.#byNode.get(node) ?? noPods).values();
  }

  #follow(): void {
    if (this.#watch !== undefined) return;
    const range = { resource: 'pods' };
    for (const { object } of this.store.list(range)) this.#add(object);
    this.#watch = this.store.watch(range, this.store.revision, (event) => this.#apply(event));
  }

  #apply({ type, current, previous }: StoreEvent): void {
    if (previous !== undefined) this.#byNode.get(nodeOf(previous.object))?.delete(keyOf(previous.object));
    if (type !== 'DELETED') this.#add(current.object);
  }

  #add(pod: Frozen<KubeObject>): void {
    const node = nodeOf(pod);
    if (node === '') return;
    const pods = this.#byNode.get(node) ?? new Map<string, Frozen<KubeObject>>();
    pods.set(keyOf(pod), pod);
    this.#byNode.set(node, pods);
  }
}

export function nodeOf(pod: Frozen<KubeObject> | undefined): string {
  return textAt(recordAt(pod, 'spec'), 'nodeName');
}

function keyOf({ metadata }: Frozen<KubeObject>): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
