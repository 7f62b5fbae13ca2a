export type { AggregatedVersion } from './aggregated.js';
export type { AggregatedDocument } from './documents.js';
export { DiscoveryDocuments } from './documents.js';
