export { applyComponents, applyObject } from './apply-components.js';
export { type InitOptions, type InitPlan, install, type NamedProviders, planInit } from './init.js';
export { untilDeployment, waitForProviders, type WaitOptions } from './wait-for-providers.js';
