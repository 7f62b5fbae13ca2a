export { operatorManifest, type OperatorInstallation, shippedRules } from './operator-manifest.js';
export { operatorRules } from './operator-rules.js';
export { watchedResources, writtenObjects } from './written-objects.js';
