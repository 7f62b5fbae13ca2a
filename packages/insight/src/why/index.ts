export { type Cause, type CauseName, causes, type Urgency } from './causes.js';
export { explain } from './explain.js';
export { reasonMeanings } from './reason-meanings.js';
export type { Evidence, Explanation, Finding, RootCause, Step } from './explanation.js';
