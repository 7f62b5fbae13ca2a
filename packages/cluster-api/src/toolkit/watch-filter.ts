import type { AnyPredicate, ObjectChange } from '@slipway/runtime';
import { labels } from '../api/index.js';

/**
 * Returns a predicate for objects with this label value. '' matches all. Corresponds to `--watch-filter` of upstream's managers.
 */
export function watchFilter(value: string): AnyPredicate {
  if (value === '') return () => true;
  const hasLabel = ({ object }: ObjectChange): boolean => {
    const own = object.metadata.labels ?? {};
    return Object.hasOwn(own, labels.watchFilter) && own[labels.watchFilter] === value;
  };
  // Objects of any kind have the same metadata, but the compiler cannot infer that through `Frozen`.
  return hasLabel as AnyPredicate;
}
