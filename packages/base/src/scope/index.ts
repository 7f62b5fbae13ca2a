export { type Disposable, Scope } from './scope.js';
