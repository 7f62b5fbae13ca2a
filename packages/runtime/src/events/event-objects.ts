import { formatMicroTime, formatTime, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import type { EventFact } from '../change/index.js';
import type { Resource } from '../client/index.js';
import type { Correlated } from './event-correlator.js';

export type EventApi = 'core' | 'events';

export interface EventReporter {
  readonly controller: string;
  readonly instance: string;
}

export const eventResources: Readonly<Record<EventApi, Resource>> = {
  core: { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
  events: { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
};

const messageMax = 1024;

/** Returns the namespace of an Event. Events about cluster-scoped objects are created in `default`, as in upstream. */
export function eventNamespace(object: Frozen<KubeObject>): string {
  return object.metadata.namespace || 'default';
}

export function createEvent(
  api: EventApi,
  name: string,
  object: Frozen<KubeObject>,
  fact: EventFact,
  correlated: Correlated,
  reporter: EventReporter,
): KubeObject {
  const metadata = { name, namespace: eventNamespace(object) };
  const note = cut(correlated.message);
  const { series } = correlated;
  if (api === 'core') {
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      involvedObject: referenceTo(object),
      reason: fact.reason,
      message: note,
      source: { component: reporter.controller },
      firstTimestamp: formatTime(series.firstAt),
      lastTimestamp: formatTime(series.lastAt),
      count: series.count,
      type: fact.type,
      ...(fact.action === undefined ? {} : { action: fact.action }),
      reportingComponent: reporter.controller,
      reportingInstance: reporter.instance,
    };
  }
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata,
    eventTime: formatMicroTime(series.firstAt),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance,
    action: fact.action ?? fact.reason,
    reason: fact.reason,
    regarding: referenceTo(object),
    note,
    type: fact.type,
  };
}

/** Returns the patch of an existing Event object when the Event is repeated. */
export function repeatPatch(api: EventApi, correlated: Correlated): JsonObject {
  const { series } = correlated;
  if (api === 'events') return { series: { count: series.count, lastObservedTime: formatMicroTime(series.lastAt) } };
  return { count: series.count, lastTimestamp: formatTime(series.lastAt), message: cut(correlated.message) };
}

function referenceTo(object: Frozen<KubeObject>): JsonObject {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace ? { namespace } : {}),
    name: name ?? '',
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function cut(message: string): string {
  return message.length <= messageMax ? message : `${message.slice(0, messageMax - 3)}...`;
}
