import { parseApiVersion, textOf, timeOf } from '@slipway/kube';
import type { Observed } from './object-ref.js';
import type { ObservedEvent } from './object-set.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads an Event of the core group, with the fields of either the old or the new events API. */
export function eventFrom(object: Observed): ObservedEvent[] {
  const fields = object as Fields;
  const about = fields['involvedObject'];
  if (typeof about !== 'object' || about === null) return [];
  const { apiVersion, kind, namespace, name } = about as Fields;
  const series = (fields['series'] ?? {}) as Fields;
  const first =
    timeOf(fields['firstTimestamp']) ?? timeOf(fields['eventTime']) ?? timeOf(object.metadata.creationTimestamp);
  const last = timeOf(fields['lastTimestamp']) ?? timeOf(series['lastObservedTime']) ?? first;
  if (first === undefined || last === undefined) return [];
  const count = fields['count'] ?? series['count'];
  return [
    {
      about: {
        group: parseApiVersion(textOf(apiVersion)).group,
        kind: textOf(kind),
        namespace: textOf(namespace),
        name: textOf(name),
      },
      type: textOf(fields['type']),
      reason: textOf(fields['reason']),
      message: textOf(fields['message']),
      at: last,
      firstAt: first,
      count: typeof count === 'number' ? count : 1,
    },
  ];
}
