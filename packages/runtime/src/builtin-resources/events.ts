import { type BuiltinObject, namespacedResource, type ObjectReference } from './define.js';

export type Event = BuiltinObject<
  'events.k8s.io/v1',
  'Event',
  {
    eventTime?: string | null;
    regarding?: ObjectReference;
    related?: ObjectReference;
    type?: string;
    reason?: string;
    action?: string;
    note?: string;
    reportingController?: string;
    reportingInstance?: string;
    series?: { count: number; lastObservedTime: string };
  }
>;
export const events = namespacedResource<Event>('events.k8s.io', 'v1', 'Event', 'events');
