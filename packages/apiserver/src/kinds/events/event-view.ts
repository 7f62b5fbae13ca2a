import type { Frozen, KubeObject } from '@slipway/kube';

/** What the two event APIs call the same thing, core first. */
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

/** A stored (core/v1) event as events.k8s.io/v1 shows it. */
export function eventFromStored(object: Frozen<KubeObject>): KubeObject {
  return rename(object, toEvents, 'events.k8s.io/v1');
}

/** The way back. Values are shared, not copied. */
export function eventToStored(object: Frozen<KubeObject>): KubeObject {
  return rename(object, toCore, 'v1');
}
