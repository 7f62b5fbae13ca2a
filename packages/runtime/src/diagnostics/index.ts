export { addClusterCacheMetrics } from './cluster-cache-metrics.js';
export type { Answer, Endpoint, EndpointOptions, Route } from './endpoint.js';
export { openEndpoint, parseAddress } from './endpoint.js';
export type { HealthCheck, HealthChecks } from './health.js';
export { healthRoute } from './health.js';
export { addObjectMetrics, type MeasuredObjects } from './object-metrics.js';
export { RuntimeMetrics } from './runtime-metrics.js';
export { addSampledMetric, type Sample, type SampledMetric } from './sampled-metrics.js';
export { reviewedByServer } from './token-review.js';
