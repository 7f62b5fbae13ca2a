export { applyIntent } from './apply-intent.js';
export { coversIntent } from './covers.js';
export { type FormerManager, releaseMetadata } from './release-metadata.js';
export { fingerprintOf, IntentCache } from './intent-cache.js';
