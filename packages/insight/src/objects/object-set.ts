import { type ContractVersion, contractVersionOf, definitionNameOf } from '@slipway/cluster-api';
import { type ObjectRef, type Observed, refKey, refOf } from './object-ref.js';

/** An Event about an object. */
export interface ObservedEvent {
  readonly about: ObjectRef;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Time of the last occurrence, in milliseconds. */
  readonly at: number;
  readonly firstAt: number;
  readonly count: number;
}

/** Why a reference could not be resolved. */
export type Absence = 'no-object' | 'no-definition' | 'no-contract';

export interface ObjectSetParts {
  readonly objects: readonly Observed[];
  /** CRDs with their metadata only. Undefined if the user may not read them. */
  readonly definitions?: readonly Observed[] | undefined;
  readonly events?: readonly ObservedEvent[];
}

/** A snapshot of related objects with indexes of their references. All reports of this package are computed from it. */
export class ObjectSet {
  readonly #objects = new Map<string, Observed>();
  readonly #byUid = new Map<string, Observed>();
  readonly #byKind = new Map<string, Observed[]>();
  readonly #owned = new Map<string, Observed[]>();
  readonly #definitions: ReadonlyMap<string, Observed> | undefined;
  readonly #events = new Map<string, ObservedEvent[]>();

  constructor({ objects, definitions, events = [] }: ObjectSetParts) {
    this.#definitions = definitions && new Map(definitions.map((one) => [one.metadata.name ?? '', one]));
    for (const object of objects) this.#add(object);
    for (const object of this.#objects.values()) {
      for (const { uid } of object.metadata.ownerReferences ?? []) push(this.#owned, uid, object);
    }
    for (const event of events) push(this.#events, refKey(event.about), event);
  }

  get objects(): readonly Observed[] {
    return [...this.#objects.values()];
  }

  get definitions(): readonly Observed[] {
    return [...(this.#definitions?.values() ?? [])];
  }

  get(ref: ObjectRef): Observed | undefined {
    return this.#objects.get(refKey(ref));
  }

  byUid(uid: string | undefined): Observed | undefined {
    return uid === undefined ? undefined : this.#byUid.get(uid);
  }

  /** Returns the objects of a kind, sorted by name. */
  ofKind(kind: string): readonly Observed[] {
    return this.#byKind.get(kind) ?? [];
  }

  /** Returns the objects that have the owner in their owner references. */
  ownedBy(owner: Observed): readonly Observed[] {
    return this.#owned.get(owner.metadata.uid ?? '') ?? [];
  }

  controlledBy(owner: Observed, kind: string): readonly Observed[] {
    return this.ownedBy(owner).filter((object) => object.kind === kind && isController(object, owner));
  }

  /** Returns the Events about an object, newest first. */
  eventsOf(ref: ObjectRef): readonly ObservedEvent[] {
    return (this.#events.get(refKey(ref)) ?? []).toSorted((left, right) => right.at - left.at);
  }

  get events(): readonly ObservedEvent[] {
    return [...this.#events.values()].flat();
  }

  /** Returns why a referenced object is not in the set, or undefined if it is. */
  absence(ref: ObjectRef): Absence | undefined {
    if (this.get(ref) !== undefined) return undefined;
    if (this.#definitions === undefined || ref.group === '') return 'no-object';
    const definition = this.#definitions.get(definitionNameOf(ref.group, ref.kind));
    if (definition === undefined) return 'no-definition';
    // Only kinds of providers must have a contract label.
    if (!/(^|\.)(infrastructure|bootstrap|controlplane)\./.test(ref.group)) return 'no-object';
    return contractVersionOf(definition.metadata.labels) === undefined ? 'no-contract' : 'no-object';
  }

  contractOf(object: Observed): ContractVersion | undefined {
    const { group, kind } = refOf(object);
    return contractVersionOf(this.#definitions?.get(definitionNameOf(group, kind))?.metadata.labels);
  }

  #add(object: Observed): void {
    const key = refKey(refOf(object));
    if (this.#objects.has(key)) return;
    this.#objects.set(key, object);
    if (object.metadata.uid !== undefined) this.#byUid.set(object.metadata.uid, object);
    push(this.#byKind, object.kind, object);
  }
}

function isController(object: Observed, owner: Observed): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    (one) => one.uid === owner.metadata.uid && one.controller === true,
  );
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
