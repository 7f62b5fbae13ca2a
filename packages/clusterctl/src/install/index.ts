export { applyComponents, applyObject } from './apply-components.js';
export { install, type NamedProviders, planInit } from './init.js';
export { untilDeployment, waitForProviders } from './wait-for-providers.js';
