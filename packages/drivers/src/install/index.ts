export { type BundleFile, bundleObjects, bundleTemplates, makeBundle } from './bundle.js';
export { olmBundle } from './olm-bundle.js';
export { foundation, operatorManifest } from './operator-manifest.js';
export { operatorRules } from './operator-rules.js';
export { watchedResources, writtenObjects } from './written-objects.js';
