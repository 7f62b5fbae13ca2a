export { applyIntent, type IntentOptions } from './apply-intent.js';
export { coversIntent } from './covers.js';
export { fingerprintOf, IntentCache } from './intent-cache.js';
