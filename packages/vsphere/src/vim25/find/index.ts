export { Finder } from './finder.js';
export { findNetwork } from './network.js';
export { findSnapshot } from './snapshot.js';
export { parseReference } from './reference.js';
export { isNamed } from './name-pattern.js';
