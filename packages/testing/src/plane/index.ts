export { type EmbeddedServer, startEmbeddedServer } from './embedded-server.js';
export { untilObject, untilObjectGone } from './object-waits.js';
export { startTestPlane, type TestPlane } from './test-plane.js';
export { patchObject } from './patch-object.js';
