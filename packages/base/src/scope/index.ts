export type { Disposable } from './scope.js';
export { Scope } from './scope.js';
