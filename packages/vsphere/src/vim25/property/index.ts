export type { Properties } from './property-types.js';
export { retrieve, retrieveAll, retrieveOne } from './retrieve.js';
export { readTask, taskEnded, taskRef, type TaskState, waitForTask } from './task.js';
export { keyOf } from './object-key.js';
export { type ObjectState, UpdateHub } from './update-hub.js';
