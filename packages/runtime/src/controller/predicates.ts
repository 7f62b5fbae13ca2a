import { deepEqual, type KubeObject } from '@slipway/kube';
import type { ObjectChange } from './source.js';

/** Whether a change is worth a look. */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectChange<T>) => boolean;

/** One that looks at no more than what every object has, and so fits wherever a filter is wanted. */
export type AnyPredicate = <T extends KubeObject>(change: ObjectChange<T>) => boolean;

type Metadata = ObjectChange['object']['metadata'];

/** A frozen object of any kind has the metadata of all; the compiler cannot see that through `Frozen`. */
function ofAny(predicate: Predicate): AnyPredicate {
  return predicate as AnyPredicate;
}

/** Additions and deletions pass; updates pass when `differs` says so. */
function onUpdate(differs: (next: Metadata, previous: Metadata) => boolean): AnyPredicate {
  return ofAny(({ object, previous }) => previous === undefined || differs(object.metadata, previous.metadata));
}

export const generationChanged: AnyPredicate = onUpdate((next, previous) => next.generation !== previous.generation);
export const labelsChanged: AnyPredicate = onUpdate((next, previous) => !deepEqual(next.labels, previous.labels));
export const annotationsChanged: AnyPredicate = onUpdate(
  (next, previous) => !deepEqual(next.annotations, previous.annotations),
);

/** Keeps out repeated events, as informers send them after a relist; a resync passes, that is what it is for. */
export const resourceVersionChanged: AnyPredicate = ofAny(
  (change) =>
    change.isInitial ||
    change.previous === undefined ||
    change.object.metadata.resourceVersion !== change.previous.metadata.resourceVersion,
);

/** Objects with the annotation are left alone, except that taking it off is seen. */
export function notPaused(annotation = 'cluster.x-k8s.io/paused'): AnyPredicate {
  return ofAny(({ object }) => !Object.hasOwn(object.metadata.annotations ?? {}, annotation));
}

/** Only objects with this label value; '' lets all pass. The `--watch-filter` of upstream's managers. */
export function watchFilter(value: string, label = 'cluster.x-k8s.io/watch-filter'): AnyPredicate {
  if (value === '') return () => true;
  return ofAny(({ object }) => {
    const labels = object.metadata.labels ?? {};
    return Object.hasOwn(labels, label) && labels[label] === value;
  });
}

export function inNamespaces(namespaces: readonly string[]): AnyPredicate {
  const allowed = new Set(namespaces);
  return ofAny(({ object }) => allowed.has(object.metadata.namespace ?? ''));
}

export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}
