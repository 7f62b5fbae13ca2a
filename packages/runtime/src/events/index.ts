export type { EventApi, EventFact } from './event-objects.js';
export type { ApiEventRecorderOptions, EventRecorder } from './event-recorder.js';
export { ApiEventRecorder, silentEventRecorder } from './event-recorder.js';
export { redact } from './redact.js';
