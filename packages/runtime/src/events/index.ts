export type { EventApi } from './event-objects.js';
export { ApiEventRecorder } from './event-recorder.js';
