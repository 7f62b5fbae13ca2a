export { readReleaseAssets } from './install/read-release-assets.js';
export * from './kinds/index.js';
export { createOpenShiftOperator, type OpenShiftOptions } from './operator.js';
export { alerts, prometheusRuleSpec } from './payload/alerts.js';
export { payloadObjects } from './payload/manifests.js';
export { findPlatform, type Platform, platforms } from './platforms/index.js';
export * from './play/index.js';
