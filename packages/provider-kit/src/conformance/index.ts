export type { ConformanceCase } from './provider-conformance.js';
export { providerConformance } from './provider-conformance.js';
export type { ConformancePlane, ProviderUnderTest } from './provider-under-test.js';
