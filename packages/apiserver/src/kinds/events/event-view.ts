import type { Frozen, KubeObject } from '@slipway/kube';

/** Names of the fields that differ between the two event APIs, core first. */
const renamed: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const toEvents = new Map(renamed);
const toCore = new Map(renamed.map(([core, events]) => [events, core]));

function rename(object: Frozen<KubeObject>, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) result[names.get(key) ?? key] = value;
  result.apiVersion = apiVersion;
  return result as KubeObject;
}

/** Converts a stored core/v1 Event to events.k8s.io/v1. */
export function eventFromStored(object: Frozen<KubeObject>): KubeObject {
  return rename(object, toEvents, 'events.k8s.io/v1');
}

/** Converts an events.k8s.io/v1 Event to core/v1. Values are shared, not copied. */
export function eventToStored(object: Frozen<KubeObject>): KubeObject {
  return rename(object, toCore, 'v1');
}
