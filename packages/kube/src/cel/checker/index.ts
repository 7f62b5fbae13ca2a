export type { CheckedExpression, ResolvedCall } from './checked.js';
export { check } from './checker.js';
export { type Environment, environment } from './environment.js';
