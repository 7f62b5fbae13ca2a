import type { AnyPredicate, ObjectChange } from '@slipway/runtime';
import { labels } from '../api/index.js';

/** Only objects with this label value. '' matches all. The `--watch-filter` of upstream's managers. */
export function watchFilter(value: string): AnyPredicate {
  if (value === '') return () => true;
  const hasLabel = ({ object }: ObjectChange): boolean => {
    const own = object.metadata.labels ?? {};
    return Object.hasOwn(own, labels.watchFilter) && own[labels.watchFilter] === value;
  };
  // A frozen object of any kind has the same metadata. The compiler cannot infer that through `Frozen`.
  return hasLabel as AnyPredicate;
}
