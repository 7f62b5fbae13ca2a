import { deepEqual, type KubeObject } from '@slipway/kube';
import type { ObjectChange } from './source.js';

/** Returns whether an event triggers a reconcile. */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectChange<T>) => boolean;

/** A predicate that uses only metadata, and so applies to objects of any kind. */
export type AnyPredicate = <T extends KubeObject>(change: ObjectChange<T>) => boolean;

type Metadata = ObjectChange['object']['metadata'];

/**
 * Declares that a predicate applies to any kind: all objects have the same metadata, which the compiler cannot infer through
 * `Frozen`.
 */
function ofAny(predicate: Predicate): AnyPredicate {
  return predicate as AnyPredicate;
}

/** Returns a predicate that passes additions, deletions, and updates for which `differs` returns true. */
function onUpdate(differs: (next: Metadata, previous: Metadata) => boolean): AnyPredicate {
  return ofAny(({ object, previous }) => previous === undefined || differs(object.metadata, previous.metadata));
}

export const generationChanged: AnyPredicate = onUpdate((next, previous) => next.generation !== previous.generation);
export const labelsChanged: AnyPredicate = onUpdate((next, previous) => !deepEqual(next.labels, previous.labels));
export const annotationsChanged: AnyPredicate = onUpdate(
  (next, previous) => !deepEqual(next.annotations, previous.annotations),
);

/** Drops repeated events, which informers send after a relist. Resync events pass. */
export const resourceVersionChanged: AnyPredicate = ofAny(
  (change) =>
    change.isInitial ||
    change.previous === undefined ||
    change.object.metadata.resourceVersion !== change.previous.metadata.resourceVersion,
);

export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}
