export type { Area, Diagnosis, Report } from './diagnosis.js';
export { examine } from './examine.js';
export { type Facts, type FactsOptions, readFacts } from './facts.js';
