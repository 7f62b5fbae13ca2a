export { type CauseName, causes } from './causes.js';
export type { WaitState } from './cause.js';
export { reportedProblem } from './rules/infrastructure.js';
export { needsExplanation } from './quick-check.js';
export { explain, explainWithWaits } from './explain.js';
export type { Explanation, RootCause, Wait } from './explanation.js';
